import type { Environment, SvcError } from '@svc/sdk';
import { CLI_NEXT_STEPS } from './generated/errors.js';
import { plain } from './terminal.js';

/** The exit codes, which docs/cli.md describes for scripts. */
export const EXIT = {
  done: 0,
  /** The service rejected the request, or a check failed. */
  refused: 1,
  /** The command or a setting is not valid; nothing was sent. */
  usage: 2,
  /** The service was not reached, or is another program or another version. */
  unreachable: 3,
  /** The key, token or account was rejected. */
  credential: 4,
  /** A limit is spent or the service is unavailable. The same command may succeed later. */
  later: 5,
  /** A bug in the command line. */
  internal: 70,
} as const;

/** A receipt is valid, but nothing shows that its identities were in force. No failure: a check of a receipt asks no service. */
export const EXIT_UNCHECKED = 3;

export type FailureKind = Exclude<keyof typeof EXIT, 'done'>;

/** The service's error response, for `--json`. */
export interface ErrorReply {
  readonly status: number;
  readonly error: string;
  readonly requestId: string | undefined;
}

/** Ends a command. The message names the cause and the next step. The stack is only printed with SVC_DEBUG. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly kind: FailureKind;
  readonly reply: ErrorReply | undefined;
  constructor(kind: FailureKind, message: string, reply?: ErrorReply) {
    super(message);
    this.kind = kind;
    this.reply = reply;
  }
}

/** The command or a setting is not valid. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
  constructor(message: string) {
    super('usage', message);
  }
}

/** By error code. Other codes get their kind from the status. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  invalid_options: 'usage',
  malformed_payload: 'usage',
  unreachable: 'unreachable',
  timed_out: 'unreachable',
  connection_cut: 'unreachable',
  stream_cut: 'unreachable',
  gateway_failed: 'unreachable',
  not_this_service: 'unreachable',
  server_too_old: 'unreachable',
  missing_api_key: 'credential',
  invalid_api_key: 'credential',
  insufficient_scopes: 'credential',
  tenant_inactive: 'credential',
  invalid_credentials: 'credential',
  invalid_console_token: 'credential',
};

/** The code comes from the server: `constructor` is not in the record. */
const lookUp = <T>(record: Readonly<Record<string, T>>, code: string): T | undefined =>
  Object.hasOwn(record, code) ? record[code] : undefined;

interface Hints {
  /** The next step. Default: that of the code. */
  readonly next?: string | undefined;
  /** The environment of the key. */
  readonly environment?: Environment | undefined;
}

/** An error of the SDK as a failure: what was requested, what the service returned, and the next step. */
export function failureOf(error: SvcError, hints: Hints = {}): Failure {
  const { code, status, requestId } = error;
  const kind = lookUp(KINDS, code) ?? (status === 429 || status === 503 ? 'later' : 'refused');
  const reply =
    requestId === undefined || status === undefined ? undefined : { status, error: code, requestId };
  const isOfClient = error.serverMessage === undefined || kind === 'unreachable';
  const failure = new Failure(kind, isOfClient ? clientMessage(error) : responseMessage(error, hints), reply);
  failure.cause = error.cause;
  return failure;
}

/** The SDK names its options; here they are settings. */
function clientMessage(error: SvcError): string {
  const start = isConnectionRefused(error) ? ' Start the server with `npm start` or `svc serve`.' : '';
  const text = error.message
    .replace(/\bbaseUrl\b/g, 'BASE_URL')
    .replace(/\btimeoutMs\b/g, 'SVC_TIMEOUT')
    .replace(/\bSDK\b/g, 'command line');
  return plain(text + start);
}

/** The next step of a code. A key that lacks a scope gets a command for one that has it, in the same environment. */
function stepOf({ code, serverMessage = '' }: SvcError, environment = 'ENVIRONMENT'): string | undefined {
  const [scope = 'SCOPE'] = /\b[a-z_]+:[a-z_]+\b/.exec(serverMessage) ?? [];
  return lookUp(CLI_NEXT_STEPS, code)?.replace('SCOPE', scope).replace('ENVIRONMENT', environment);
}

function responseMessage(error: SvcError, { next, environment }: Hints): string {
  const { code, operation, status, requestId, retryAfterSeconds, details = [] } = error;
  const message = error.serverMessage ?? '';
  const issues = details.map((issue) => `${issue.path} ${issue.message}.`);
  // Listed fields and a time to wait are more specific than the general step.
  const isSpecific = issues.length > 0 || retryAfterSeconds !== undefined;
  const parts = [
    `${operation} returned ${status} ${code}: ${message}`,
    // The message already names the first.
    ...issues.filter((issue) => !message.includes(issue)),
    retryAfterSeconds !== undefined && `Try again in ${retryAfterSeconds} s.`,
    next ?? stepOf(error, environment) ?? (isSpecific ? undefined : error.next),
    requestId && `(request ${requestId})`,
  ];
  return parts.filter(Boolean).map(String).map(plain).join(' ');
}

/** Whether nothing listens at the address. The system's code is in the cause of `fetch`'s error. */
export function isConnectionRefused({ cause }: { readonly cause?: unknown }): boolean {
  const { code, cause: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || (inner !== undefined && isConnectionRefused({ cause: inner }));
}
