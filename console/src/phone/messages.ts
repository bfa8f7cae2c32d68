import { isSvcError, SvcError, type SvcErrorCode } from '@svc/sdk';
import { PAGE_MESSAGES } from '../generated/errors';

const SDK_MESSAGES: Partial<Record<SvcErrorCode, string>> = {
  circuit_not_pinned:
    'The service sent proving files that this page doesn’t know. They were not used, and no proof was sent. Reload the page and try again. If you see this again, contact the operator of the service.',
  unreachable: 'The service did not respond. Check your connection and try again.',
};

/** Returns the error with a message for people using a phone. */
export function withPhoneMessage(error: unknown): unknown {
  const message = isSvcError(error) ? (PAGE_MESSAGES[error.code] ?? SDK_MESSAGES[error.code]) : undefined;
  return isSvcError(error) && message ? new SvcError(error.code, message, error) : error;
}

const FINAL_CODES =
  /^(pair|enroll|verify|pairing|device|foreign|malformed|verification|invalid|insufficient|tenant|monthly)_/;

/** Whether a retry with the same code can succeed. */
export const isRetryable = (error: unknown): boolean => !isSvcError(error) || !FINAL_CODES.test(error.code);
