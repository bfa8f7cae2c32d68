import { equalSecrets } from '../../base/crypto/keyring.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { canonicalDid } from '../../model/did.js';

/** How long a phone has to answer. */
const CHALLENGE_MS = 5 * 60_000;
const RANDOM_BYTES = 16;
const MAC_BYTES = 24;
const BYTES = 8 + RANDOM_BYTES + MAC_BYTES;

interface Subject {
  readonly scope: Scope;
  readonly did: string;
}

const macText = ({ scope, did }: Subject, head: Buffer): string =>
  ['challenge', scope.tenantId, scope.environment, canonicalDid(did), head.toString('hex')].join('|');

const shortened = (hex: string): string => hex.slice(0, 2 * MAC_BYTES);

/**
 * A challenge that an attestation key is enrolled with: 8 bytes of its expiry in milliseconds, 16 random ones, and 24 of a MAC over these,
 * the tenant, the environment and the DID. Nothing of it is stored before it is spent.
 */
export function issueChallenge(
  { clock, random, keyring }: Pick<Deps, 'clock' | 'random' | 'keyring'>,
  subject: Subject,
) {
  const expiresAt = clock.now() + CHALLENGE_MS;
  const head = Buffer.alloc(8 + RANDOM_BYTES);
  head.writeBigUInt64BE(BigInt(expiresAt));
  head.set(random.bytes(RANDOM_BYTES), 8);
  const mac = Buffer.from(shortened(keyring.hmac('attestation', macText(subject, head))), 'hex');
  return {
    challenge: Buffer.concat([head, mac]).toString('base64url'),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** The single use that a challenge stands for, as that of a proof. */
export interface ChallengeUse {
  readonly nonce: string;
  /** When it was issued, in milliseconds. */
  readonly timestamp: number;
}

/** Expired since 1970. */
const NO_USE: ChallengeUse = { nonce: '00000000-0000-4000-8000-000000000000', timestamp: 0 };

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A challenge that was not issued for this subject has a use that is over. */
export function readChallenge(
  { keyring }: Pick<Deps, 'keyring'>,
  subject: Subject,
  challenge: string,
): ChallengeUse {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== challenge) return NO_USE;
  const head = bytes.subarray(0, 8 + RANDOM_BYTES);
  const sent = bytes.subarray(8 + RANDOM_BYTES).toString('hex');
  const isOurs = keyring
    .hmacs('attestation', macText(subject, head))
    .some((mac) => equalSecrets(shortened(mac), sent));
  if (!isOurs) return NO_USE;
  return { nonce: uuidOf(head.subarray(8)), timestamp: Number(head.readBigUInt64BE()) - CHALLENGE_MS };
}
