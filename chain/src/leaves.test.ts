import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUDIT_HEAD,
  buildTree,
  type Enrolment,
  hashEnrolment,
  hashLeaf,
  IDENTITY,
  type Leaf,
  rootFrom,
  tagOf,
  wordOf,
} from './leaves.js';

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

describe('the leaf of an enrolment', () => {
  const enrolment: fc.Arbitrary<Enrolment> = fc.record({
    tag: word,
    identityId: fc.uuid(),
    userId: fc.uuid(),
    didHash: word,
    commitment: word,
    salt: word,
  });
  const sha256 = (...parts: readonly (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

  it('is SHA-256(0x00 ‖ 0x03 ‖ tag ‖ SHA-256(identityId) ‖ SHA-256(userId) ‖ didHash ‖ commitment ‖ salt)', () => {
    fc.assert(
      fc.property(enrolment, (of) => {
        const [tag, didHash, commitment, salt] = [of.tag, of.didHash, of.commitment, of.salt].map((hex) =>
          Buffer.from(hex, 'hex'),
        ) as [Buffer, Buffer, Buffer, Buffer];
        const ids = [sha256(of.identityId), sha256(of.userId)];
        const expected = sha256(Buffer.from([0, 3]), tag, ...ids, didHash, commitment, salt);
        expect(hashEnrolment(of)).toBe(expected.toString('hex'));
      }),
      { seed: 10, numRuns: 200 },
    );
  });

  it('changes with each of its values, and when two of them change places', () => {
    fc.assert(
      fc.property(enrolment, enrolment, (of, other) => {
        for (const field of Object.keys(of) as (keyof Enrolment)[])
          expect(hashEnrolment({ ...of, [field]: other[field] })).not.toBe(hashEnrolment(of));
        const swapped = { ...of, identityId: of.userId, userId: of.identityId };
        expect(hashEnrolment(swapped)).not.toBe(hashEnrolment(of));
        expect(hashEnrolment({ ...of, didHash: of.commitment, commitment: of.didHash })).not.toBe(
          hashEnrolment(of),
        );
      }),
      { seed: 11, numRuns: 50 },
    );
  });
});
