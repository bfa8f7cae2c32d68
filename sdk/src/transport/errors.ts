import type { ErrorCode } from '../generated/errors.js';

/**
 * Errors of the client:
 *
 * - `invalid_options`: an option is invalid; nothing was sent
 * - `unreachable`: no connection to the base URL
 * - `timed_out`: no complete response within `timeoutMs`
 * - `connection_cut`: the connection broke before the response was complete
 * - `gateway_failed`: a proxy responded instead of the service
 * - `not_this_service`: another program responds at the base URL
 * - `server_too_old`: the server does not support the operation
 * - `stream_cut`: an event stream was interrupted
 * - `event_gap`: an event of the feed is missing, altered or out of order
 * - `malformed_payload`: a deeplink, a QR code or a `rawScan` does not match the contract
 * - `foreign_code`: a QR code of another service, account or environment
 * - `circuit_not_pinned`: the files don't belong to a known or expected circuit, or a proof created with them doesn't verify;
 *   they were not used
 * - `sign_in_blocked`: the browser did not open the window of `signInHosted`
 * - `sign_in_closed`: the person closed it
 * - `sign_in_failed`: nobody was signed in, or the answer belongs to another sign-in
 * - `not_stored`: the phone's storage refused a record, so the phone stopped
 * - `not_registered`: the phone has no identity for this
 * - `not_in_force`: the phone's identity begins to work later
 * - `registration_over`: the phone has no such registration any more
 * - `registration_unconfirmed`, `addition_unconfirmed`: the last response was lost, and only a use of the phone shows whether it counts
 * - `receipt_wrong`: the service's answer does not show that it recorded what the phone proved
 */
export type ClientErrorCode =
  | 'invalid_options'
  | 'unreachable'
  | 'timed_out'
  | 'connection_cut'
  | 'gateway_failed'
  | 'not_this_service'
  | 'server_too_old'
  | 'stream_cut'
  | 'event_gap'
  | 'malformed_payload'
  | 'foreign_code'
  | 'circuit_not_pinned'
  | 'sign_in_blocked'
  | 'sign_in_closed'
  | 'sign_in_failed'
  | 'not_stored'
  | 'not_registered'
  | 'not_in_force'
  | 'registration_over'
  | 'registration_unconfirmed'
  | 'addition_unconfirmed'
  | 'receipt_wrong';

/** A code of the service or of this client. A newer server may return others. */
export type SvcErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** Details of an error besides its code and message. */
export interface SvcErrorFacts {
  /** The operation, such as `POST /v1/devices`. */
  readonly operation?: string | undefined;
  /** The service's own message, without what this client adds to `message`. */
  readonly serverMessage?: string | undefined;
  /** The response's HTTP status. */
  readonly status?: number | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId?: string | undefined;
  /** Seconds to wait before a retry, if the service sent it. */
  readonly retryAfterSeconds?: number | undefined;
  /** One entry for each invalid part of the request. */
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined;
  /** The address of the page that explains the code. */
  readonly docs?: string | undefined;
  /** How to fix the error, for codes of the service. */
  readonly next?: string | undefined;
  /** Where to send the person instead, with `new_browser_refused`: the hosted sign-in page. `signInHosted` opens it. */
  readonly hostedUrl?: string | undefined;
  /** How often the request was sent. */
  readonly attempts?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that this client throws, except that an aborted signal rejects with its own reason, and that `verifyWebhook`
 * throws a `WebhookVerificationError`. Branch on `code`.
 * `message` and `next` describe the cause and the fix for people, and may change.
 */
export class SvcError extends Error implements SvcErrorFacts {
  override readonly name: string = 'SvcError';
  readonly code: SvcErrorCode;
  readonly operation: string | undefined;
  readonly serverMessage: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly docs: string | undefined;
  readonly next: string | undefined;
  readonly hostedUrl: string | undefined;
  readonly attempts: number | undefined;

  constructor(code: SvcErrorCode, message: string, facts: SvcErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.operation = facts.operation;
    this.serverMessage = facts.serverMessage;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.details = facts.details;
    this.docs = facts.docs;
    this.next = facts.next;
    this.hostedUrl = facts.hostedUrl;
    this.attempts = facts.attempts;
  }
}

/** Whether an error is a `SvcError`, with one of these codes if any are given. */
export function isSvcError(error: unknown, ...codes: readonly SvcErrorCode[]): error is SvcError {
  return error instanceof SvcError && (codes.length === 0 || codes.includes(error.code));
}
