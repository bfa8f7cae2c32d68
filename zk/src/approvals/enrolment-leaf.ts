import { sha256, sha256Hex, toHex } from '../prover/sha256.js';
import type { EnrolmentLeaf } from './receipt.js';

/** The first bytes of what is hashed: a leaf, of the kind that stands for an enrolment. */
const PREFIX = '0003';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));

/** `identity_leaf` as `hashEnrolment` of `@svc/chain` computes it, in any runtime. The fields must be hex of 32 bytes but for the ids. */
export function enrolmentLeaf(
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  { identityId, userId, didHash, commitment, salt }: EnrolmentLeaf,
): string {
  const tag = sha256Hex(`svc-anchor-v1|${tenantId}|${environment}`);
  return toHex(
    sha256(
      bytesOf([PREFIX, tag, sha256Hex(identityId), sha256Hex(userId), didHash, commitment, salt].join('')),
    ),
  );
}
