import { errors } from 'oidc-provider';

/** A code or token that was used before ends everything that came of it, because two parties may have it. */
export class AlreadyUsed extends errors.InvalidGrant {
  constructor() {
    super('it was used before, so the sign-in has ended');
  }
}

interface Code {
  readonly id: string;
  /** Spends it without a token. Throws `AlreadyUsed`. */
  alone(): Promise<void>;
}

/** The code that a request spends. */
const codes = new WeakMap<object, Code>();

/** The code is spent in the write of the request's access token. */
export const spendWithToken = (context: object, code: Code): void => void codes.set(context, code);

/** The code that is to be spent now. */
export function takeCode(context: object | undefined): Code | undefined {
  const code = context && codes.get(context);
  if (context) codes.delete(context);
  return code;
}

async function spendLeft(context: object): Promise<void> {
  try {
    await takeCode(context)?.alone();
  } catch (error) {
    // The request has failed already.
    if (!(error instanceof AlreadyUsed)) throw error;
  }
}

/** Around each request. A code whose request failed before its access token is spent, too. */
export const spendWithoutToken = (context: object, next: () => Promise<unknown>): Promise<unknown> =>
  next().finally(() => spendLeft(context));
