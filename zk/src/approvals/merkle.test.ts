import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from './merkle.js';

type Proof = readonly string[] | null;
/** Those of transparency-dev/merkle (Apache-2.0), in a shorter form. */
const published = JSON.parse(
  readFileSync(new URL('../../test-data/merkle-vectors.json', import.meta.url), 'utf8'),
) as {
  readonly inclusion: readonly (readonly [string, number, number, string, string, Proof, boolean])[];
  readonly consistency: readonly (readonly [string, number, number, string, string, Proof, boolean])[];
};
const bytes = (base64: string | null) => new Uint8Array(Buffer.from(base64 ?? '', 'base64'));
const all = (proof: Proof) => (proof ?? []).map(bytes);
/** Some vectors have shorter texts instead of hashes. */
const areHashes = (...texts: readonly (string | null)[]) => texts.every((text) => bytes(text).length === 32);

/** The root as RFC 9162, 2.1.1 defines it, by another implementation of the hash. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const sha256 = (...parts: readonly Uint8Array[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return new Uint8Array(hash.digest());
  };
  if (leaves.length === 1) return sha256(Uint8Array.of(0), leaves[0] as Uint8Array);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => new Uint8Array(createHash('sha256').update(String(at)).digest()));
const rootsOf = (leaves: readonly Uint8Array[], ranges: readonly LeafRange[]) =>
  ranges.map(({ from, to }) => rootOf(leaves.slice(from, to)));

describe('proofs of a Merkle tree', () => {
  it('are judged as the published vectors say', () => {
    for (const [name, index, size, root, leaf, proof, isWrong] of published.inclusion)
      expect(
        verifyInclusion({ index, size, root: bytes(root), leaf: bytes(leaf), proof: all(proof) }),
        `inclusion ${name}`,
      ).toBe(!isWrong && areHashes(root, leaf));
    for (const [name, from, to, fromRoot, toRoot, proof, isWrong] of published.consistency)
      expect(
        verifyConsistency({ from, to, fromRoot: bytes(fromRoot), toRoot: bytes(toRoot), proof: all(proof) }),
        `consistency ${name}`,
      ).toBe(!isWrong && areHashes(fromRoot, toRoot));
    expect(published.inclusion.length + published.consistency.length).toBeGreaterThan(150);
  });

  it('hold for every leaf and every earlier tree, up to 40 leaves', () => {
    const leaves = leavesOf(40);
    for (let size = 1; size <= leaves.length; size++) {
      const root = rootOf(leaves.slice(0, size));
      for (let index = 0; index < size; index++) {
        const proof = rootsOf(leaves, inclusionRanges(index, size));
        const leaf = leafHash(leaves[index] as Uint8Array);
        expect(verifyInclusion({ index, size, leaf, proof, root })).toBe(true);
        const fromRoot = rootOf(leaves.slice(0, index + 1));
        const steps = rootsOf(leaves, consistencyRanges(index + 1, size));
        expect(verifyConsistency({ from: index + 1, to: size, fromRoot, toRoot: root, proof: steps })).toBe(
          true,
        );
      }
    }
  });

  it('do not hold with any bit, position or size changed', () => {
    const leaves = leavesOf(30);
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 30 }),
        fc.nat(29),
        fc.nat(255),
        fc.nat(6),
        (size, at, bit, which) => {
          const index = at % size;
          const proof = rootsOf(leaves, inclusionRanges(index, size));
          const whole = {
            ...{ index, size, proof },
            leaf: leafHash(leaves[index] as Uint8Array),
            root: rootOf(leaves.slice(0, size)),
          };
          const flipped = (hash: Uint8Array) =>
            hash.map((byte, n) => (n === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
          const wrong = [
            { ...whole, leaf: flipped(whole.leaf) },
            { ...whole, root: flipped(whole.root) },
            {
              ...whole,
              proof: proof.with(which % proof.length, flipped(proof[which % proof.length] as Uint8Array)),
            },
            { ...whole, index: (index + 1 + (which % (size - 1))) % size },
            { ...whole, proof: [...proof, whole.root] },
            { ...whole, proof: proof.slice(1) },
            { ...whole, index: size },
          ];
          for (const each of wrong) expect(verifyInclusion(each)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are those of the hashes of leaves and nodes, which have different prefixes', () => {
    const [a, b] = [leafHash(new Uint8Array(32)), leafHash(new Uint8Array(32).fill(1))];
    expect(nodeHash(a, b)).not.toEqual(leafHash(Uint8Array.from([...a, ...b])));
  });
});
