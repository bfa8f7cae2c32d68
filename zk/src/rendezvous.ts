import { sha256, sha256Hex, toHex } from './prover/sha256.js';

/**
 * What two phones of one person compute when one adds the other. Documented for clients in docs/proofs.md; every implementation
 * must reproduce the vectors in zk/test-vectors.json.
 */

/** What the new phone opens after it has seen `a`. `b` is 32 random bytes as 64 lower-case hex digits. */
export interface Opening {
  readonly newDid: string;
  readonly newCommitment: string;
  readonly b: string;
}

/** The two phones' values. `a` is the old phone's 32 random bytes as 64 lower-case hex digits. */
export interface Rendezvous extends Opening {
  readonly rendezvousId: string;
  readonly did: string;
  readonly a: string;
}

/** What the old phone sends first: the hex SHA-256 of the 32 bytes of `a`. @throws TypeError unless `a` is 64 lower-case hex digits. */
export function hashOfA(a: string): string {
  const digits = randomHex(a, 'a');
  return toHex(sha256(Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))));
}

/**
 * What the new phone sends before it knows `a`, as hex: SHA-256 of `newDid|newCommitment|b`. After that it can choose nothing
 * that the digits depend on. @throws TypeError for a malformed value.
 */
export function commitToOpening({ newDid, newCommitment, b }: Opening): string {
  return sha256Hex([field(newDid), randomHex(newCommitment, 'newCommitment'), randomHex(b, 'b')].join('|'));
}

/**
 * The six digits that the new phone shows and the person types on the old one: the first 20 bits of SHA-256 of
 * `svc-add-v1|rendezvousId|did|newDid|newCommitment|a|b`, modulo a million. @throws TypeError for a malformed value.
 */
export function additionDigits({ rendezvousId, did, newDid, newCommitment, a, b }: Rendezvous): string {
  const digest = sha256Hex(
    [
      'svc-add-v1',
      field(rendezvousId),
      field(did),
      field(newDid),
      randomHex(newCommitment, 'newCommitment'),
      randomHex(a, 'a'),
      randomHex(b, 'b'),
    ].join('|'),
  );
  return String(Number.parseInt(digest.slice(0, 5), 16) % 1_000_000).padStart(6, '0');
}

/** No field may contain the separator, so different values never give the same text. ASCII letters are lower-case, as in binds. */
function field(text: string): string {
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text) || text.includes('|'))
    throw new TypeError("a field must be non-empty printable ASCII without '|'");
  return text.toLowerCase();
}

function randomHex(text: string, name: string): string {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/.test(text))
    throw new TypeError(`${name} must be 64 lower-case hex digits`);
  return text;
}
