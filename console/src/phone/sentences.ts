import { isSvcError, SvcError, type SvcErrorCode } from '@svc/sdk';
import { PAGE_MESSAGES } from '../generated/errors';

/** What a person reads on a phone where the SDK itself failed. */
const SENTENCES: Partial<Record<SvcErrorCode, string>> = {
  circuit_not_pinned:
    'The service sent proving files that this page doesn’t know. They were not used, and no proof was sent. Reload the page and try again. If you see this again, contact the operator of the service.',
  unreachable: 'The service did not answer. Look at the network, then try again.',
};

/** The same error with the sentence for a phone. */
export function explained(error: unknown): unknown {
  const sentence = isSvcError(error) ? (PAGE_MESSAGES[error.code] ?? SENTENCES[error.code]) : undefined;
  return isSvcError(error) && sentence ? new SvcError(error.code, sentence, error) : error;
}

const OVER =
  /^(pair|enroll|verify|pairing|device|foreign|malformed|verification|invalid|insufficient|tenant|monthly)_/;

/** Whether the same code may still do. */
export const mayTryAgain = (error: unknown): boolean => !isSvcError(error) || !OVER.test(error.code);
