import { isSvcError, SvcError } from '@svc/sdk';
import { AttestationNotAccepted, isFinal, NoAttestationKey } from '@svc/sdk/phone';
import { language, t } from './strings';
import { whenText } from './when';

/** An error whose message is for people, and already in their language. */
export class PhoneError extends SvcError {}

/** The message of any error, in the person's language. */
export function messageOf(error: unknown): string {
  if (error instanceof PhoneError) return error.message;
  if (!isSvcError(error)) return t.errors.unexpected(error instanceof Error ? error.message : String(error));
  if (error instanceof AttestationNotAccepted) return t.passkey.notAccepted;
  if (error instanceof NoAttestationKey) return t.passkey.required;
  const inForceAt = error.details?.find(({ path }) => path === 'inForceAt')?.message;
  if (inForceAt !== undefined) return t.errors.notInForce(whenText(inForceAt));
  const known: Readonly<Record<string, string>> = t.errors.codes;
  // The service's own messages are in English.
  const own = language === 'en' ? error.serverMessage : undefined;
  return known[error.code] ?? own ?? t.errors.unknown(error.code);
}

/** Whether a retry with the same code can succeed. */
export const isRetryable = (error: unknown): boolean => !isFinal(error);
