import { hash } from 'node:crypto';

/**
 * An anchored record, as AnchorHub hashes it. All values are 32 bytes in lower-case hex without `0x`. The random salt prevents
 * guessing records from the blockchain, and deleting it unlinks the record from the blockchain.
 */
export interface Leaf {
  readonly kind: LeafKind;
  /** The record's owner: `tagOf(tenantId, environment)`. */
  readonly tag: string;
  /** An identity's didHash, or an audit head's seq. */
  readonly first: string;
  /** An identity's commitment, or an audit head's hash. */
  readonly second: string;
  readonly salt: string;
}

export const IDENTITY = 1;
export const AUDIT_HEAD = 2;
/** Not on a blockchain: the leaf of an identity's commitment in the audit chain (`hashEnrolment`). */
const ENROLMENT = 3;
export type LeafKind = typeof IDENTITY | typeof AUDIT_HEAD;

const sha256 = (hex: string) => hash('sha256', Buffer.from(hex, 'hex'), 'hex');

/** Identifies a tenant's environment in a leaf. */
export const tagOf = (tenantId: string, environment: string): string =>
  hash('sha256', `svc-anchor-v1|${tenantId}|${environment}`, 'hex');

/** A number as a 32-byte word in hex. */
export const wordOf = (value: bigint | number): string => value.toString(16).padStart(64, '0');

/** `SHA-256(0x00 ‖ kind ‖ tag ‖ first ‖ second ‖ salt)`. It hashes 130 bytes; an inner node hashes 65 and begins with 0x01. */
export const hashLeaf = ({ kind, tag, first, second, salt }: Leaf): string =>
  sha256(`000${kind}${tag}${first}${second}${salt}`);

/** What the audit chain says of an identity's commitment. Hex without `0x`, but for the ids. */
export interface Enrolment {
  readonly tag: string;
  readonly identityId: string;
  readonly userId: string;
  readonly didHash: string;
  readonly commitment: string;
  /** 32 random bytes of its own, never those of the anchor. */
  readonly salt: string;
}

/** `SHA-256(0x00 ‖ 0x03 ‖ tag ‖ SHA-256(identityId) ‖ SHA-256(userId) ‖ didHash ‖ commitment ‖ salt)`, the ids as their text. */
export const hashEnrolment = ({ tag, identityId, userId, didHash, commitment, salt }: Enrolment): string =>
  sha256(
    `000${ENROLMENT}${tag}${hash('sha256', identityId, 'hex')}${hash('sha256', userId, 'hex')}${didHash}${commitment}${salt}`,
  );

/** `SHA-256(0x01 ‖ smaller ‖ larger)`. */
const hashPair = (a: string, b: string): string => sha256(a < b ? `01${a}${b}` : `01${b}${a}`);

export interface Tree {
  readonly root: string;
  /** The sibling nodes on the path from a leaf to the root, bottom up. */
  pathOf(position: number): string[];
}

/** Builds the tree over leaf hashes in order. A node without a sibling moves up unchanged. */
export function buildTree(leaves: readonly string[]): Tree {
  if (leaves.length === 0) throw new RangeError('a tree needs at least one leaf');
  const levels: (readonly string[])[] = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const above: string[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i] as string, level[i + 1]];
      above.push(right === undefined ? left : hashPair(left, right));
    }
    level = above;
  }
  return {
    root: (levels.at(-1) as readonly string[])[0] as string,
    pathOf(position) {
      if (leaves[position] === undefined) throw new RangeError('no such leaf');
      return levels.flatMap((level, height) => level[(position >> height) ^ 1] ?? []);
    },
  };
}

/** Computes the root from a leaf and its path. */
export const rootFrom = (leaf: Leaf, path: readonly string[]): string =>
  path.reduce(hashPair, hashLeaf(leaf));

/** AnchorHub's hash chain over the roots of all batches, in order: each root is hashed with the hash of those before. */
export const hashOfRoots = (roots: readonly string[], before = '0'.repeat(64)): string =>
  roots.reduce((hash, root) => sha256(`${hash}${root}`), before);
