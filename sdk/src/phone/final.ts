import { isSvcError } from '../transport/errors.js';

const FINAL_CODES =
  /^(pair|enroll|verify|pairing|addition|recovery|registration|approval|attendance|correction|name_not|identity|device|foreign|malformed|verification|invalid|insufficient|tenant|monthly|not_in|not_registered)_?/;

/** Whether no further attempt with the same code can succeed. */
export const isFinal = (error: unknown): boolean => isSvcError(error) && FINAL_CODES.test(error.code);
