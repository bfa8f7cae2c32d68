import type { ApprovalStatement } from '../generated/api.js';

/** What was asked for, and the result of the check in sentences. */
export interface Findings {
  /**
   * `in_force_unchecked`: no rows of the audit chain up to the newest row of the receipt were given, so an identity may have been
   * revoked before it decided. Nobody can tell from a head alone.
   */
  readonly code: 'valid' | 'in_force_unchecked';
  readonly statement: ApprovalStatement;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
}
