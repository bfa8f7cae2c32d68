import type { ErrorCode } from '../generated/errors.js';

/**
 * What can go wrong on this side of the wire:
 *
 * - `invalid_options`: the client was given something that cannot work; nothing was sent
 * - `unreachable`: nothing answers at the base URL
 * - `timed_out`: no whole answer within `timeoutMs`
 * - `connection_cut`: the connection broke before the answer was whole
 * - `gateway_failed`: a proxy answered in the service's place
 * - `not_this_service`: something else answers at the base URL
 * - `server_too_old`: the server does not know the operation
 * - `stream_cut`: a pairing's event stream broke off
 * - `malformed_payload`: a deeplink, a QR code or a `rawScan` is not what the contract says
 * - `foreign_code`: a QR code of another service, account or environment
 * - `circuit_not_pinned`: the files to prove with are not those of a known or expected circuit, or a proof made with them
 *   doesn't verify; nothing of them was used
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
  | 'malformed_payload'
  | 'foreign_code'
  | 'circuit_not_pinned';

/** A code of the service or of this client; a newer server may answer others. */
export type SvcErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** What is known of a failure beside its code and message. */
export interface SvcErrorFacts {
  /** The operation, such as `POST /v1/devices`. */
  readonly operation?: string | undefined;
  /** The service's own message, without what this client adds to `message`. */
  readonly serverMessage?: string | undefined;
  /** The answer's HTTP status. */
  readonly status?: number | undefined;
  /** Names the request in the service's log. */
  readonly requestId?: string | undefined;
  /** Seconds to wait before another try, where the service said so. */
  readonly retryAfterSeconds?: number | undefined;
  /** One entry for each part of the request that is wrong. */
  readonly details?: readonly { readonly path: string; readonly message: string }[] | undefined;
  /** The address of the page that explains the code. */
  readonly docs?: string | undefined;
  /** What you can do about the code, where it is one of the service. */
  readonly next?: string | undefined;
  /** How often the request was sent. */
  readonly attempts?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Every failure that this client throws itself; only an aborted signal rejects with its own reason. Branch on `code`.
 * `message` and `next` are for people and may change: the cause, and what to do about it.
 */
export class SvcError extends Error implements SvcErrorFacts {
  override readonly name = 'SvcError';
  readonly code: SvcErrorCode;
  readonly operation: string | undefined;
  readonly serverMessage: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: readonly { readonly path: string; readonly message: string }[] | undefined;
  readonly docs: string | undefined;
  readonly next: string | undefined;
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
    this.attempts = facts.attempts;
  }
}

/** Whether something caught is a `SvcError`, of one of these codes where any are given. */
export function isSvcError(error: unknown, ...codes: readonly SvcErrorCode[]): error is SvcError {
  return error instanceof SvcError && (codes.length === 0 || codes.includes(error.code));
}
