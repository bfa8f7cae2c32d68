/** What an authenticator sent cannot be read, or is not accepted. The message is for the log and the audit row. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  /** It cannot even be read, whatever it says. */
  readonly isMalformed: boolean;
  constructor(because: string, { isMalformed = false } = {}) {
    super(because);
    this.isMalformed = isMalformed;
  }
}

/** Why something was rejected, by us or by the library. */
export const reasonOf = (error: unknown): string => (error instanceof Rejection ? error.message : 'library');

export const reject = (because: string): never => {
  throw new Rejection(because);
};

export const malformed = (because: string): never => {
  throw new Rejection(because, { isMalformed: true });
};

/** Reads base64url without padding, in the one form that each value has. */
export function readBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : malformed('base64url');
}
