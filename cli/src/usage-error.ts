/** The command was not understood, or names what is not there; nothing was done. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
