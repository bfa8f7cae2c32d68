import { hash } from 'node:crypto';

/**
 * What is anchored, as AnchorHub hashes it. Everything is lower-case hex of 32 bytes without `0x`; the salt is random,
 * so that nothing can be guessed from the chain, and deleting it takes the record's tie to the chain away.
 */
export interface Leaf {
  readonly kind: LeafKind;
  /** Whose record it is: `tagOf(tenantId, environment)`. */
  readonly tag: string;
  /** Of an identity its didHash; of an audit head its seq. */
  readonly first: string;
  /** Of an identity its commitment; of an audit head its hash. */
  readonly second: string;
  readonly salt: string;
}

export const IDENTITY = 1;
export const AUDIT_HEAD = 2;
export type LeafKind = typeof IDENTITY | typeof AUDIT_HEAD;

const sha256 = (hex: string) => hash('sha256', Buffer.from(hex, 'hex'), 'hex');

/** Names a tenant's environment in a leaf. */
export const tagOf = (tenantId: string, environment: string): string =>
  hash('sha256', `svc-anchor-v1|${tenantId}|${environment}`, 'hex');

/** A number as a word of the chain. */
export const wordOf = (value: bigint | number): string => value.toString(16).padStart(64, '0');

/** `SHA-256(0x00 ‖ kind ‖ tag ‖ first ‖ second ‖ salt)`: 130 bytes, where an inner node has 65 and begins with 0x01. */
export const hashLeaf = ({ kind, tag, first, second, salt }: Leaf): string =>
  sha256(`000${kind}${tag}${first}${second}${salt}`);

/** `SHA-256(0x01 ‖ smaller ‖ larger)`. */
const hashPair = (a: string, b: string): string => sha256(a < b ? `01${a}${b}` : `01${b}${a}`);

export interface Tree {
  readonly root: string;
  /** The nodes beside the way from a leaf to the root, from below. */
  pathOf(position: number): string[];
}

/** The tree over leaf hashes in their order; a node without a neighbour moves up as it is. */
export function buildTree(leaves: readonly string[]): Tree {
  if (leaves.length === 0) throw new RangeError('a tree has a leaf');
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

/** The root that a leaf and its path lead to. */
export const rootFrom = (leaf: Leaf, path: readonly string[]): string =>
  path.reduce(hashPair, hashLeaf(leaf));

/** What AnchorHub keeps over the roots of all batches, in their order: each hashed after the hash of those before. */
export const hashOfRoots = (roots: readonly string[], before = '0'.repeat(64)): string =>
  roots.reduce((hash, root) => sha256(`${hash}${root}`), before);
