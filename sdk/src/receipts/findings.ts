import type { ApprovalStatement } from '../generated/api.js';

/** What was asked for, and the result of the check in sentences. */
export interface Findings {
  readonly statement: ApprovalStatement;
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
}
