/** Every error code of the service: its status, and the sentence a caller reads when a rule gives no better one. */
export const ERRORS = {
  invalid_request: [400, 'The request is not valid.'],
  biometric_data_rejected: [400, 'Biometric data is never accepted. Send a commitment or a proof instead.'],
  weak_password: [400, 'The password is too weak.'],
  device_attestation_required: [400, 'The account asks for a device attestation verdict.'],
  missing_api_key: [401, 'Send an API key in Authorization: Bearer … or X-API-Key.'],
  invalid_api_key: [401, 'The API key is invalid, expired or revoked.'],
  invalid_credentials: [401, 'The e-mail or the password is wrong.'],
  invalid_console_token: [401, 'The console token is missing, invalid or expired. Log in again.'],
  missing_session_token: [401, 'Send the access token in X-Session-Token.'],
  invalid_session_token: [401, 'The session token is invalid, expired or revoked.'],
  invalid_refresh_token: [401, 'The refresh token is invalid, expired, spent or revoked.'],
  verification_failed: [401, 'The verification failed.'],
  proof_verification_failed: [401, 'The proof did not verify.'],
  device_attestation_insufficient: [
    401,
    'The device attestation verdict is below what the account asks for.',
  ],
  pairing_nonce_mismatch: [401, 'The proof is not bound to this pairing session.'],
  sso_failed: [401, 'The sign-on failed. Begin it again.'],
  insufficient_scopes: [403, 'The API key lacks the scope that this endpoint needs.'],
  tenant_inactive: [403, 'The account is suspended or deactivated.'],
  demo_auth_disabled: [403, 'Simulated sign-on is not enabled on this server.'],
  template_register_disabled: [
    403,
    'This server takes no templates. Derive the commitment on the device, and use /v1/identity/register.',
  ],
  endpoint_disabled: [403, 'The security policy of this account disables this endpoint.'],
  plan_upgrade_required: [403, 'The current plan does not include this feature.'],
  pairing_bind_mismatch: [403, 'The bind cookie of this pairing session is missing or wrong.'],
  not_found: [404, 'No such endpoint.'],
  device_not_found: [404, 'There is no such device in this environment.'],
  user_not_found: [404, 'There is no such user in this environment.'],
  verification_not_found: [404, 'There is no such verification in this environment.'],
  identity_not_found: [404, 'There is no such identity in this environment.'],
  anchor_not_found: [404, 'Nothing of that is anchored, or not yet.'],
  api_key_not_found: [404, 'There is no such API key.'],
  pairing_session_not_found: [404, 'There is no such pairing session.'],
  enrollment_failed: [404, 'The enrollment failed. Try again, or ask for a new code.'],
  pair_failed: [404, 'Pairing failed. Try again, or ask for a new code.'],
  enroll_failed: [404, 'The step failed. Try again, or ask for a new code.'],
  verify_failed: [404, 'The step failed. Try again, or ask for a new code.'],
  session_not_found: [404, 'There is no such registration session in this environment.'],
  method_not_allowed: [405, 'This address does not answer that method. See the Allow header.'],
  external_id_conflict: [409, 'Another record already has this externalId.'],
  did_already_registered: [409, 'This DID is already registered.'],
  commitment_already_registered: [409, 'This commitment is already registered under another DID.'],
  email_already_registered: [409, 'An account with this e-mail already exists.'],
  api_key_limit_reached: [409, 'An account holds at most 10 active API keys. Revoke one first.'],
  invalid_transition: [409, 'The record cannot move from its present status to the one asked for.'],
  device_not_pending: [409, 'Only a pending device has an enrollment code.'],
  idempotency_key_reused: [409, 'This Idempotency-Key was used with another request body.'],
  idempotency_key_in_use: [409, 'The first request with this Idempotency-Key is still running.'],
  pairing_session_already_bound: [409, 'Another proof has bound this pairing session already.'],
  pairing_session_expired: [410, 'The pairing session has expired. Open a new one.'],
  payload_too_large: [413, 'The request body is larger than 64 KiB.'],
  unsupported_media_type: [415, 'Send the body as application/json (UTF-8, uncompressed).'],
  rate_limit_exceeded: [429, 'Too many requests. Try again after the time in Retry-After.'],
  monthly_quota_exceeded: [429, 'The monthly quota of the plan is used up.'],
  internal_error: [500, 'Something went wrong on our side. It was logged with the requestId.'],
  chain_unavailable: [
    503,
    'The chain that this account verifies on does not answer. Try again after the time in Retry-After.',
  ],
  service_unavailable: [503, 'The service is briefly unavailable. Try again after the time in Retry-After.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

export interface Issue {
  /** Where in the request, for example `body.name` or `query.limit`. */
  readonly path: string;
  readonly message: string;
}

export interface FailureOptions {
  /** For the log only, never for the caller. */
  readonly because?: string;
  /** Replaces the table's sentence. */
  readonly message?: string;
  readonly details?: readonly Issue[];
  /** Seconds for Retry-After, on 429 and 503. */
  readonly retryAfterSeconds?: number;
}

/** A refusal that the caller is told of. Anything else that is thrown is our own fault and answers 500. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly options: FailureOptions;

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.message ?? sentenceOf(code, options.details), { cause: options.because });
    this.code = code;
    this.options = options;
  }
}

/** Names the first problem, so that `message` alone says what to change. */
function sentenceOf(code: ErrorCode, [first, ...others]: readonly Issue[] = []): string {
  if (first === undefined) return ERRORS[code][1];
  const more = `See details for ${others.length} more ${others.length === 1 ? 'problem' : 'problems'}.`;
  return [
    `${first.path} ${first.message}.`,
    ...(code === 'invalid_request' ? [] : [ERRORS[code][1]]),
    ...(others.length > 0 ? [more] : []),
  ].join(' ');
}

export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new Failure(code, options);
}

/** Undefined where the work was refused with that code: what it was to change was changed in between, by somebody else. */
export async function unlessRefused<T>(code: ErrorCode, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure && error.code === code) return undefined;
    throw error;
  }
}

/** 400 `invalid_request` about one field. */
export function invalid(path: string, message: string): never {
  throw new Failure('invalid_request', { details: [{ path, message }] });
}

/** The error envelope (DECISIONS §1). `docs` is a path unless there is an origin to put before it. */
export function envelope(failure: Failure, requestId: string, docsOrigin = '') {
  const { details } = failure.options;
  return {
    error: failure.code,
    message: failure.message,
    docs: `${docsOrigin}/docs/errors#${failure.code}`,
    requestId,
    ...(details && { details }),
  };
}
