import { StatementError } from '../../src/approvals/fields.js';

/** The path of the fault with which a value is rejected. Undefined if it is not. */
export function faultPath(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof StatementError) return error.path;
    throw error;
  }
}
