import { sha256 } from '../prover/sha256.js';

/**
 * Merkle trees as RFC 9162 defines them, over leaves of 32 bytes. Sizes and positions are integers of at most 2^53, so they are halved by
 * division: the bit operators of JavaScript have 32 bits.
 */

const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;

const hashOf = (prefix: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return sha256(bytes);
};

export const leafHash = (leaf: Uint8Array): Uint8Array => hashOf(0x00, leaf);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => hashOf(0x01, left, right);

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

const isHash = (bytes: Uint8Array): boolean => bytes.length === 32;

export interface Inclusion {
  /** From 0. */
  readonly index: number;
  /** The number of leaves of the tree. */
  readonly size: number;
  /** `leafHash` of the leaf. */
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** The way from a leaf to the root, at which it is a left or a right child, level by level (RFC 9162, 2.1.3.2 and 2.1.4.2). */
class Climb {
  #from: number;
  #last: number;
  constructor(from: number, last: number) {
    this.#from = from;
    this.#last = last;
  }

  get isDone(): boolean {
    return this.#last === 0;
  }

  up(): void {
    this.#from = half(this.#from);
    this.#last = half(this.#last);
  }

  /** Levels at which it is the right child of a complete tree. */
  skipComplete(): void {
    while (isOdd(this.#from)) this.up();
  }

  /** Whether the next hash of the proof stands to the left. Levels without a right sibling have none in the proof. */
  takeLeft(): boolean {
    const isLeft = isOdd(this.#from) || this.#from === this.#last;
    if (isLeft) while (!isOdd(this.#from) && this.#from !== 0) this.up();
    return isLeft;
  }
}

/** Whether the leaf is at its position in the tree with this root. */
export function verifyInclusion({ index, size, leaf, proof, root }: Inclusion): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  if (![leaf, root, ...proof].every(isHash)) return false;
  const climb = new Climb(index, size - 1);
  let hash = leaf;
  for (const sibling of proof) {
    if (climb.isDone) return false;
    hash = climb.takeLeft() ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
    climb.up();
  }
  return climb.isDone && isSame(hash, root);
}

export interface Consistency {
  /** The number of leaves of the earlier tree, at least 1, and of the later one. */
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Whether the later tree begins with the leaves of the earlier one. */
export function verifyConsistency({ from, to, fromRoot, toRoot, proof }: Consistency): boolean {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || from > to) return false;
  if (![fromRoot, toRoot, ...proof].every(isHash)) return false;
  if (from === to) return proof.length === 0 && isSame(fromRoot, toRoot);
  const climb = new Climb(from - 1, to - 1);
  climb.skipComplete();
  // The proof does not repeat the root of an earlier tree that is complete.
  const [first, ...rest] = isPowerOfTwo(from) ? [fromRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [earlier, later] = [first, first];
  for (const sibling of rest) {
    if (climb.isDone) return false;
    if (climb.takeLeft()) {
      earlier = nodeHash(sibling, earlier);
      later = nodeHash(sibling, later);
    } else later = nodeHash(later, sibling);
    climb.up();
  }
  return climb.isDone && isSame(earlier, fromRoot) && isSame(later, toRoot);
}

const isPowerOfTwo = (value: number): boolean =>
  Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;

/** The leaves `from` to `to - 1`, whose subtree a proof needs. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two below a size of at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The subtrees whose roots prove that a leaf is in a tree, in the order of the proof (RFC 9162, 2.1.3.1). */
export function inclusionRanges(index: number, size: number, from = 0): LeafRange[] {
  if (size <= 1) return [];
  const split = splitOf(size);
  return index < split
    ? [...inclusionRanges(index, split, from), { from: from + split, to: from + size }]
    : [...inclusionRanges(index - split, size - split, from + split), { from, to: from + split }];
}

/** The subtrees whose roots prove that a tree begins with an earlier one, in the order of the proof (RFC 9162, 2.1.4.1). */
export function consistencyRanges(earlier: number, size: number, from = 0, isWhole = true): LeafRange[] {
  if (earlier === size) return isWhole ? [] : [{ from, to: from + size }];
  const split = splitOf(size);
  return earlier <= split
    ? [...consistencyRanges(earlier, split, from, isWhole), { from: from + split, to: from + size }]
    : [...consistencyRanges(earlier - split, size - split, from + split, false), { from, to: from + split }];
}
