import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

export type Log = Logger;

/** Patterns of our secrets anywhere in a line: API keys, one-time codes, JWTs, credentials in URLs. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/svc_(live|test)_[0-9a-fA-F]{8,}/g, 'svc_$1_[redacted]'],
  [/\bSV-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}\b/g, 'SV-[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, '[redacted token]'],
  [/:\/\/[^\s/@"\\]+@/g, '://[redacted]@'],
];

export function redact(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** Describes an error. Database drivers attach the failing row, the statement and its values, which must not be logged. */
function nameError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: name,
    message,
    code,
    constraint,
    stack,
    ...(cause !== undefined && { cause: nameError(cause) }),
  };
}

/**
 * Writes structured lines to standard output. Headers, bodies and URLs are never logged (requests are named by the pattern
 * of their route). Redacting whole lines is a second defence, for what a library's error may quote.
 */
export function createLog(level: LevelWithSilent, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: nameError },
      hooks: { streamWrite: redact },
    },
    ...(destination ? [destination] : []),
  );
}

/**
 * Standard output for a process that logs many lines. They are written together, after 100 ms at the latest and when the process ends, unless it is
 * killed (SIGKILL): a system call for each line is a measurable part of a request.
 */
export const bufferedOutput = (): DestinationStream =>
  pino.destination({ sync: false, minLength: 4_096, periodicFlush: 100 });
