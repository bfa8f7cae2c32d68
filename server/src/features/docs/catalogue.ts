import type { ErrorCode } from '../../kernel/errors.js';

/** What a developer who met a code needs to know. Words between backticks are shown as code. */
export interface Entry {
  /** What it means. */
  readonly means: string;
  /** When it is answered. */
  readonly when: string;
  /** What to do next. */
  readonly next: string;
}

/** Every code: one without an entry does not compile. True to contract/DECISIONS.md; change both together. */
export const CATALOGUE: Readonly<Record<ErrorCode, Entry>> = {
  invalid_request: {
    means: 'A part of the request is missing, malformed or not known here.',
    when: 'Unknown fields, wrong types, a bad `limit` or `cursor`, JSON that cannot be read and an `Idempotency-Key` sent twice all end here; nothing is written.',
    next: 'Change each part that `details` names; sent again unchanged, the request fails again.',
  },
  biometric_data_rejected: {
    means: 'The body has a field whose name is on the list of biometric names, such as `faceImage`.',
    when: 'The list is exact, without case, `_` and `-`. Its names are refused at any depth, inside `metadata` too, before anything is stored or logged. A value under another name is not recognised, and must not be sent either.',
    next: 'Leave the field out: make a commitment or a proof on the device, and send that. A device’s own hardware `fingerprint` is allowed.',
  },
  weak_password: {
    means: 'The new password is too easy to guess.',
    when: 'It needs at least 12 characters, a letter and a digit, and may be neither a common password, also with digits or symbols around it, nor the e-mail’s name or the company’s.',
    next: 'Read `message` for the reason and choose another, best a sentence of several words.',
  },
  device_attestation_required: {
    means: 'The account’s security policy asks for a device attestation verdict, and the phone sent none.',
    when: 'It is answered at submitting a proof to a pairing session, before the proof is looked at; the session stays open.',
    next: 'Send `clientMeta.deviceAttestationVerdict`, or let the account’s owner allow its absence in the security policy.',
  },
  missing_api_key: {
    means: 'The request carries no API key.',
    when: 'It is looked for before anything else is read. A console token is no API key, and a key in the address is not looked at.',
    next: 'Send the key as `Authorization: Bearer svc_…` or in `X-API-Key`. The operator’s endpoints, `/api/admin/…` and the list of leads, take the operator’s key, in `X-API-Key` alone.',
  },
  invalid_api_key: {
    means: 'The key that was sent is not a good one: unknown, mistyped, expired or revoked.',
    when: 'So are two different keys in the two headers, one header sent twice, and a key that was revoked while the request ran; nothing was written then. The operator’s endpoints answer it to whatever is not the operator’s key.',
    next: '`message` says if the key has the wrong form or is in the wrong place. Otherwise look it up in the console by its prefix. A revoked or expired key never works again: create another. On the operator’s endpoints, send the server’s `ADMIN_API_KEY` in `X-API-Key`.',
  },
  invalid_credentials: {
    means: 'E-mail and password do not belong together.',
    when: 'At log-in the answer is the same whether the account exists or not; at a change of password it is about the current one. Each counts as a failed log-in.',
    next: 'Check both. A forgotten password can be replaced by the operator of the service.',
  },
  invalid_console_token: {
    means: 'The console token is missing, malformed, older than 24 hours or ended.',
    when: 'Logging out and changing the password end every older token of the account. An API key does not open the console.',
    next: 'Log in again and send the new token as `Authorization: Bearer …`.',
  },
  missing_session_token: {
    means: 'The endpoint acts on a person’s session, and no access token came with the request.',
    when: 'The API key was good; it says which account asks, not which person.',
    next: 'Send the access token of the session in `X-Session-Token`, beside the API key.',
  },
  invalid_session_token: {
    means: 'The access token is forged, expired, or its session has ended.',
    when: 'A session ends at log-out, when its identity or its user is withdrawn, and when a spent refresh token is used. A token of another tenant or environment, or one that belongs to no identity, is refused alike.',
    next: 'Refresh the session once; if that fails too, let the person prove again.',
  },
  invalid_refresh_token: {
    means: 'The refresh token is unknown, expired, spent, or its session has ended.',
    when: 'Each works once. Using a spent one ends its session, because it may have been stolen; a retry within 60 seconds with the same `Idempotency-Key` gets the first answer again instead, while its successor is unused.',
    next: 'Let the person prove again. Store the new token before you use it, and send an `Idempotency-Key` so that a lost answer can be asked for again.',
  },
  verification_failed: {
    means: 'The proof was not accepted.',
    when: 'An unknown or revoked DID, another commitment, a time more than 5 minutes off, a nonce that was used before, a proof for another purpose, tenant or environment, and an invalid proof are one answer, so that nobody can probe for identities.',
    next: 'Ask for a new nonce, prove with exactly its `timestamp` for this tenant and environment, and check that the DID is registered here. Failures do not spend the nonce.',
  },
  proof_verification_failed: {
    means: 'The proof that was sent to a deprecated endpoint was not accepted.',
    when: 'It does not verify, its time is more than 5 minutes off, or its nonce was used before.',
    next: 'Ask for a new nonce and prove with exactly its `timestamp`. For new work, register an identity and use `/v1/identity/verify`, which says who proved.',
  },
  device_attestation_insufficient: {
    means: 'The verdict that the phone sent ranks below what the account’s security policy asks for.',
    when: 'It is answered at submitting a proof to a pairing session; values that the service does not know rank lowest. The session stays open.',
    next: 'Use a device with a better verdict, or let the account’s owner lower the requirement.',
  },
  pairing_nonce_mismatch: {
    means: 'The proof is not bound to this pairing session.',
    when: 'Its second public signal must be made of the DID and of the session’s id, nonce, tenant and environment; a proof for another session, or for another use, does not fit.',
    next: 'Scan the code that the desktop shows now and prove anew from its content. The session stays open until it expires.',
  },
  sso_failed: {
    means: 'The answer of the identity provider was not accepted.',
    when: 'A state that is unknown, used or older than 10 minutes, a signature, audience or time that is wrong, and a user who may not sign on this way are one answer.',
    next: 'Begin the sign-on again: its state is spent, whatever the answer was.',
  },
  insufficient_scopes: {
    means: 'The key is good, but may not do this.',
    when: 'Each endpoint asks for one scope, which `message` names. Adding an identity to an existing user by `externalId` asks for `users:write` as well.',
    next: 'Create a key with the scope; those of an existing key do not change. Simulated sign-on’s scopes are only on keys that were created with them.',
  },
  tenant_inactive: {
    means: 'The account is suspended or deactivated.',
    when: 'Every key and every console token of it is refused, and so is log-in after the right password.',
    next: 'Ask the operator of the service. Nothing is deleted, and the same keys work again once the account is active.',
  },
  demo_auth_disabled: {
    means: 'This server does not offer simulated sign-on.',
    when: 'The SAML and OIDC endpoints answer only where the operator set `ENABLE_DEMO_AUTH`, and in production `ALLOW_DEMO_AUTH_IN_PRODUCTION` too.',
    next: 'Use proofs, which need no flag, or a server that has it set. Repeating the request does not help.',
  },
  template_register_disabled: {
    means: 'This server does not derive identities from templates.',
    when: 'The deprecated register endpoints answer in production only where the operator set `ENABLE_TEMPLATE_REGISTER`.',
    next: 'Derive the commitment on the device, where the template belongs, and send it to `/v1/identity/register`.',
  },
  endpoint_disabled: {
    means: 'The account’s security policy disables this endpoint.',
    when: '`deprecated_verify` is `off`. The proof was not verified, and its nonce was not spent.',
    next: 'Use `/v1/identity/verify`, which accepts registered identities only. Retrying the request does not help.',
  },
  plan_upgrade_required: {
    means: 'The account’s plan does not include what was asked for.',
    when: 'On-chain verification in the security policy needs the plan growth or enterprise.',
    next: 'Choose off-chain verification, or ask the operator for another plan. The policy is unchanged.',
  },
  pairing_bind_mismatch: {
    means: 'This browser may not watch the pairing session.',
    when: 'The cookie `svc_pair_bind` is missing or holds another session’s secret; only the browser that opened a session has it, for up to four sessions.',
    next: 'Send the cookie that creation set, with credentials included and over HTTPS, or open a new session from this browser.',
  },
  not_found: {
    means: 'This server has no such endpoint.',
    when: 'Paths are exact in case and slashes. The operator’s endpoints are not there without `ADMIN_API_KEY`, the simulated provider not without its flag, and an integrity check finds no tenant of that id.',
    next: 'If `message` suggests a path, try that one. Otherwise compare the path with `/openapi.json`, and the server’s settings with what the endpoint needs.',
  },
  device_not_found: {
    means: 'No device has this id in the environment of the caller.',
    when: 'A device of another tenant, or of the other environment, is not found either, nor is an id in a path that is no UUID. The id may stand in the path or in the body.',
    next: 'List the devices with the same key, and check that `svc_live_` or `svc_test_` is the one you mean.',
  },
  user_not_found: {
    means: 'No user has this id in the environment of the caller.',
    when: 'A user of another tenant, or of the other environment, is not found either. The id may stand in the path or in the body.',
    next: 'List the users with the same key, and check that `svc_live_` or `svc_test_` is the one you mean.',
  },
  verification_not_found: {
    means: 'The verification event that the body names is not there.',
    when: 'It is answered at recording attendance with a `verificationId` of another tenant or environment, or of none.',
    next: 'Send the id of a verification that was recorded in the same environment, or leave it out.',
  },
  anchor_not_found: {
    means: 'Nothing of what was asked for is in a batch on a chain, or not yet.',
    when: 'It is answered for identities and audit events that no batch holds: the policy did not ask for anchoring when they were made, they are of the test environment or of another account, or their batch is still to come.',
    next: 'Heads are anchored every ten minutes, identities at once when the chain is there. `providers` of the security policy says what is anchored.',
  },
  identity_not_found: {
    means: 'No identity has this DID in the environment of the key.',
    when: 'It is answered at revoking. A DID names somebody within one tenant and environment only.',
    next: 'Check the DID and the key’s environment. One that was revoked already is found, and answers as it did.',
  },
  api_key_not_found: {
    means: 'The account has no API key of this id.',
    when: 'Keys are revoked by the id that the list shows, not by their prefix or raw value.',
    next: 'List the keys and send the `id` of the one you mean.',
  },
  pairing_session_not_found: {
    means: 'There is no such pairing session for the caller.',
    when: 'The id is unknown or another tenant’s. The public read also answers this for every session that has expired, and for accounts that are not active, so that it tells nothing more.',
    next: 'Scan the code again; if the answer stays, open a new session on the desktop.',
  },
  enrollment_failed: {
    means: 'The device was not enrolled.',
    when: 'An unknown, used, replaced or expired code, a fingerprint that is not well formed or that another device has, and an account that is not active are one answer.',
    next: 'Check the fingerprint, 16 to 256 characters of `A–Z a–z 0–9 : _ . = + / -`, and try again: a refusal does not use the code up. Otherwise have the console make a new code, which is good for 15 minutes and once.',
  },
  pair_failed: {
    means: 'Step 1 of the registration ceremony failed.',
    when: 'An unknown, used or expired pair code, another session’s `session_id`, a fingerprint that is not well formed or already taken, and a ceremony that has ended are one answer.',
    next: 'Try again with the code as it was shown and a fingerprint of its own: a refusal does not use the code up. Otherwise open a new ceremony; each code is good for 15 minutes, the whole for 30.',
  },
  enroll_failed: {
    means: 'Step 2 of the registration ceremony failed.',
    when: 'An unknown, used or expired enroll code, another session’s `session_id` and a ceremony that is not at this step are one answer.',
    next: 'Use the code of step 1’s answer. Where it ran out, open a new ceremony.',
  },
  verify_failed: {
    means: 'Step 3 of the registration ceremony failed.',
    when: 'A wrong code or challenge, a commitment other than step 2’s, a proof that does not hold, and a DID or commitment that is registered already are one answer.',
    next: 'Prove again with the challenge of step 2’s answer. The fifth failure ends the ceremony; then open a new one.',
  },
  session_not_found: {
    means: 'No registration ceremony has this id in the environment of the caller.',
    when: 'One of another tenant, or of the other environment, is not found either, nor is an id that is no UUID. A ceremony that ended is kept and is found.',
    next: 'Check the id that opening answered, and that the key is of the same environment.',
  },
  method_not_allowed: {
    means: 'The address exists, but not for this method.',
    when: '`HEAD` and `OPTIONS` are methods of their own here. Browsers’ preflight requests are answered only for origins that the operator allowed.',
    next: 'Use a method of the `Allow` header.',
  },
  external_id_conflict: {
    means: 'Another record of this kind already has the `externalId`.',
    when: 'It is unique per tenant, environment and kind. A ceremony whose profile has it is refused when it is opened, and an identity when that user has an active one.',
    next: 'Find the record that has it and change that one, or choose another `externalId`.',
  },
  did_already_registered: {
    means: 'The tenant has registered this DID already in this environment.',
    when: 'A revoked DID stays taken. Upper and lower case are the same.',
    next: 'If this request was a retry, send the first one’s `Idempotency-Key` to see its record. Otherwise register another DID.',
  },
  commitment_already_registered: {
    means: 'The commitment is registered already, under another DID of this tenant and environment.',
    when: 'Two DIDs with one commitment would be one secret with two names.',
    next: 'Verify with the DID that it belongs to, or make a new commitment from a new secret on the device.',
  },
  email_already_registered: {
    means: 'There is an account with this e-mail.',
    when: 'It is answered at signing up. Upper and lower case are the same.',
    next: 'Log in instead, or sign up with another address.',
  },
  api_key_limit_reached: {
    means: 'The account has 10 active API keys, which is the most.',
    when: 'Both environments count together; revoked and expired keys do not.',
    next: 'Revoke a key that is not in use, by its last-used time, and create the new one then.',
  },
  invalid_transition: {
    means: 'The device cannot go from its status to the one asked for.',
    when: 'A `retired` device stays retired. `active` and `inactive` change into each other, but a device that waits for its enrollment code stays `inactive`.',
    next: 'Read the device, and register a new one in place of one that is retired.',
  },
  device_not_pending: {
    means: 'The device does not wait for an enrollment code.',
    when: 'It is enrolled, revoked or retired already, or is the phone of a registration ceremony, which alone enrolls it.',
    next: 'Create a device anew for other hardware, or open a new ceremony for a phone.',
  },
  idempotency_key_reused: {
    means: 'This `Idempotency-Key` was used with another body.',
    when: 'Keys are remembered for 24 hours, per tenant, environment and endpoint, and bodies are compared byte by byte.',
    next: 'Use a new key for a new request; repeat a request with exactly the bytes of the first.',
  },
  idempotency_key_in_use: {
    means: 'The first request with this `Idempotency-Key` is still running.',
    when: 'A retry came before the answer to the first.',
    next: 'Wait a moment and send the same again: it shows the first one’s record, or runs if that failed.',
  },
  pairing_session_already_bound: {
    means: 'A proof has bound this pairing session already.',
    when: 'Of submits that come at the same time, one binds the session and the others get this.',
    next: 'Ask the desktop: it may have its tokens. Otherwise open a new session.',
  },
  pairing_session_expired: {
    means: 'The pairing session is past its 5 minutes.',
    when: 'It is answered at submitting a proof, whether the session was bound or not.',
    next: 'Open a new session on the desktop and scan its code.',
  },
  payload_too_large: {
    means: 'The body is larger than 64 KiB.',
    when: 'The limit holds for every endpoint. A free-form object such as `metadata` may hold at most 16 KiB of that.',
    next: 'Send less, and keep files elsewhere with a reference here.',
  },
  unsupported_media_type: {
    means: 'The body is not in a form that this endpoint reads.',
    when: 'All read `application/json` in UTF-8, uncompressed; the SAML callback reads an HTML form as well.',
    next: 'Set `Content-Type: application/json`, without a `Content-Encoding`.',
  },
  rate_limit_exceeded: {
    means: 'There were too many requests in a short time.',
    when: 'Windows are counted for the plan, for an address on public endpoints, for wrong log-ins and codes, and for what may be open at once: event streams, or 2,000 live codes. Refused requests do not count in the plan.',
    next: 'Wait for the seconds in `Retry-After`. `X-RateLimit-Remaining` tells beforehand where a plan’s window stands.',
  },
  monthly_quota_exceeded: {
    means: 'The plan’s requests for this calendar month are used up.',
    when: 'Months are UTC, and both environments count together. Refused requests are not counted.',
    next: 'Ask the operator for a larger plan, or wait until the month ends: `Retry-After` has the seconds.',
  },
  internal_error: {
    means: 'The service failed in a way that nobody foresaw.',
    when: 'It is our fault, not the request’s. A write is there whole or not at all.',
    next: 'Report it with the `requestId`, under which it is logged. Repeat a write with an `Idempotency-Key` where the endpoint takes one.',
  },
  chain_unavailable: {
    means: 'The chain on which the account has proofs checked cannot be asked at the moment.',
    when: 'The security policy sets `providers.verification` to `onchain`, our own verifier accepted the proof, and the chain’s node is away, slow or another one. The nonce is not spent.',
    next: 'Try again after the seconds in `Retry-After`, with the same proof while its time holds. `/api/health` shows the chain’s state.',
  },
  service_unavailable: {
    means: 'The service cannot do this at the moment.',
    when: 'The database is away, or the queue for proofs or passwords is full. A full queue spent nothing; where the connection to the database broke, a write may have happened.',
    next: 'Try again after the seconds in `Retry-After`, with the same `Idempotency-Key` where the endpoint takes one. `/api/health` shows which part is down.',
  },
};
