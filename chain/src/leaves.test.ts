import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUDIT_HEAD, buildTree, hashLeaf, IDENTITY, type Leaf, rootFrom, tagOf, wordOf } from './leaves.js';

const word = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const leaf: fc.Arbitrary<Leaf> = fc.record({
  kind: fc.constantFrom(IDENTITY, AUDIT_HEAD),
  tag: word,
  first: word,
  second: word,
  salt: word,
});

describe('the tree of a batch', () => {
  it('proves each of its leaves, for any number of leaves', () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 40 }), (leaves) => {
        const { root, pathOf } = buildTree(leaves.map(hashLeaf));
        for (const [i, each] of leaves.entries()) expect(rootFrom(each, pathOf(i))).toBe(root);
      }),
      { seed: 8, numRuns: 50 },
    );
  });

  it('proves no other leaf', () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 2, maxLength: 20 }), leaf, (leaves, other) => {
        const { root, pathOf } = buildTree(leaves.map(hashLeaf));
        leaves.forEach((each, i) => {
          expect(rootFrom(other, pathOf(i))).not.toBe(root);
          for (const field of ['tag', 'first', 'second', 'salt'] as const)
            expect(rootFrom({ ...each, [field]: other[field] }, pathOf(i))).not.toBe(root);
        });
      }),
      { seed: 9, numRuns: 20 },
    );
  });

  it('rejects an empty tree, and a path of a leaf that does not exist', () => {
    expect(() => buildTree([])).toThrow(RangeError);
    expect(() => buildTree([wordOf(1)]).pathOf(1)).toThrow(RangeError);
  });
});

it('a tag identifies one environment of one tenant', () => {
  expect(tagOf('a', 'live')).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set([tagOf('a', 'live'), tagOf('a', 'test'), tagOf('b', 'live')]).size).toBe(3);
});
