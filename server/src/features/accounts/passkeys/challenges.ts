import { sha256 } from '../../../base/crypto/keyring.js';
import type { Deps } from '../../../http/deps.js';
import { unaudited } from '../../../ledger/unaudited.js';
import * as store from './challenges.store.js';

export { CHALLENGE_EXPIRY } from './challenges.store.js';

/** How long an authenticator has for its answer. */
export const CHALLENGE_MS = 5 * 60_000;

type Issued = Omit<store.Challenge, 'hash'>;

/** Makes a challenge: 32 random bytes in base64url. */
export async function issueChallenge(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  { purpose, subject }: Issued,
): Promise<string> {
  const challenge = Buffer.from(random.bytes(32)).toString('base64url');
  const expiresAt = new Date(clock.now() + CHALLENGE_MS);
  await store.insertChallenge(
    unaudited(db, 'challenges'),
    { hash: sha256(challenge), purpose, subject },
    expiresAt,
  );
  return challenge;
}

/** Spends a challenge before the answer is checked, so that each has one answer. False if it cannot be answered. */
export const spendChallenge = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  challenge: string,
  { purpose, subject }: Issued,
): Promise<boolean> =>
  store.spendChallenge(
    unaudited(db, 'challenges'),
    { hash: sha256(challenge), purpose, subject },
    new Date(clock.now()),
  );
