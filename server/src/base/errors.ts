import { ERRORS, type ErrorCode } from '../model/errors.js';

export type { ErrorCode };

export interface Issue {
  /** Where in the request, for example `body.name` or `query.limit`. */
  readonly path: string;
  readonly message: string;
}

export interface FailureOptions {
  /** Logged, but never sent to the caller. */
  readonly because?: string;
  /** Replaces the default message of the code. */
  readonly message?: string;
  readonly details?: readonly Issue[];
  /** Where a person can sign in instead. */
  readonly hostedUrl?: string;
  /** The day until which what the request asks for is not possible, YYYY-MM-DD. */
  readonly until?: string;
  /** Seconds for `Retry-After`, for 429 and 503. */
  readonly retryAfterSeconds?: number;
}

/** An error that the caller may see. Anything else that is thrown is a bug and becomes a 500. */
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

/** Includes the first problem, so that `message` alone says what to change. */
function sentenceOf(code: ErrorCode, [first, ...others]: readonly Issue[] = []): string {
  if (first === undefined) return ERRORS[code].message;
  const more = `See details for ${others.length} more ${others.length === 1 ? 'problem' : 'problems'}.`;
  return [
    `${first.path} ${first.message}.`,
    ...(code === 'invalid_request' ? [] : [ERRORS[code].message]),
    ...(others.length > 0 ? [more] : []),
  ].join(' ');
}

export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new Failure(code, options);
}

/** Returns undefined if the work fails with that code because another request changed the record first. */
export async function catchError<T>(code: ErrorCode, work: Promise<T>): Promise<T | undefined> {
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

/** The error envelope [http/errors]. `docs` is a path unless the origin is configured. */
export function envelope(failure: Failure, requestId: string, docsOrigin = '') {
  const { details, hostedUrl, until } = failure.options;
  return {
    error: failure.code,
    message: failure.message,
    docs: `${docsOrigin}/docs/errors#${failure.code}`,
    requestId,
    ...(details && { details }),
    ...(hostedUrl !== undefined && { hosted_url: hostedUrl }),
    ...(until !== undefined && { until }),
  };
}
