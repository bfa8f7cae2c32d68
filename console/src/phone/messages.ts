import { isSvcError, SvcError } from '@svc/sdk';
import { language, t } from './language/strings';

/** An error whose message is for people, and already in their language. */
export class PhoneError extends SvcError {}

/** The message of any error, in the person's language. */
export function messageOf(error: unknown): string {
  if (error instanceof PhoneError) return error.message;
  if (!isSvcError(error)) return t.errors.unexpected(error instanceof Error ? error.message : String(error));
  const known: Readonly<Record<string, string>> = t.errors.codes;
  // The service's own messages are in English.
  const own = language === 'en' ? error.serverMessage : undefined;
  return known[error.code] ?? own ?? t.errors.unknown(error.code);
}

const FINAL_CODES =
  /^(pair|enroll|verify|pairing|addition|recovery|approval|identity|device|foreign|malformed|verification|invalid|insufficient|tenant|monthly|not_in)_/;

/** Whether a retry with the same code can succeed. */
export const isRetryable = (error: unknown): boolean => !isSvcError(error) || !FINAL_CODES.test(error.code);
