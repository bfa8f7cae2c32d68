/** Why a restore cannot be finished, in a sentence for the operator. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}
