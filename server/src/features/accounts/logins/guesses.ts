import { UNREADABLE } from '../../../base/address.js';
import { NIL_UUID } from '../../../base/crypto/random.js';
import { fail } from '../../../base/errors.js';
import type { Hit } from '../../../cluster/rate-limit.js';
import type { BaseContext } from '../../../http/route.js';
import * as accounts from '../accounts.store.js';
import type { LoginRow } from './logins.store.js';

const MINUTE_MS = 60_000;

type GuessContext = Pick<BaseContext, 'deps' | 'address'>;

/** The address as it is stored: with a keyed hash, and for members beside the first owner with their id. */
export const addressHashOf = (
  { deps, address }: GuessContext,
  member: Pick<LoginRow, 'id' | 'member_id'> | undefined,
): string => {
  const own = member === undefined || member.member_id === member.id ? '' : `|${member.member_id}`;
  return deps.keyring.hmac('login', `address|${address}${own}`);
};

/**
 * Returns the member, if there is one, and whether the password is correct. Failures count by e-mail (hashed, known or not)
 * and address, and by e-mail alone. An address that logged in recently is exempt from the second limit, so that a stranger
 * cannot lock a member out. An attempt is counted before the password is checked and refunded if it was correct, so concurrent
 * guesses cannot exceed the limit. Clients whose address nobody can read count by e-mail alone.
 */
export async function checkGuess(
  context: GuessContext,
  guess: { readonly email: string; readonly password: string },
  find: () => Promise<LoginRow | undefined>,
): Promise<{ row: LoginRow | undefined; isRight: boolean }> {
  const { db, keyring, limiter, clock, passwords } = context.deps;
  const account = keyring.hmac('login', `email|${guess.email}`);
  const row = await find();
  const windows: (readonly [string, number, number])[] = [];
  const isReadable = context.address !== UNREADABLE;
  if (isReadable) windows.push([`login|${account}|${addressHashOf(context, undefined)}`, 10, 15 * MINUTE_MS]);
  const hasLoggedIn = await accounts.hasLoggedInFrom(
    db,
    row?.id ?? NIL_UUID,
    addressHashOf(context, row),
    clock.now() - accounts.EXEMPT_MS,
  );
  const known = isReadable && hasLoggedIn;
  if (!known) windows.push([`login|${account}`, 100, 60 * MINUTE_MS]);
  const taken: Hit[] = [];
  let wrong = false;
  try {
    for (const window of windows) {
      const place = await limiter.hit(...window);
      if (!place.allowed) {
        const retryAfterSeconds = Math.max(1, Math.ceil((place.retryAt - clock.now()) / 1000));
        fail('rate_limit_exceeded', { retryAfterSeconds });
      }
      taken.push(place);
    }
    // A closed account has none, nor has a member who only has passkeys.
    wrong = !(await passwords.verify(row?.member_password_hash || undefined, guess.password));
    return { row, isRight: !wrong };
  } finally {
    if (!wrong) for (const place of taken) await place.refund();
  }
}

/** Whether the member logged in from this address in the last 30 days. */
export const isKnownAddress = async (context: GuessContext, row: LoginRow): Promise<boolean> =>
  context.address !== UNREADABLE &&
  accounts.hasLoggedInFrom(
    context.deps.db,
    row.id,
    addressHashOf(context, row),
    context.deps.clock.now() - accounts.EXEMPT_MS,
  );
