import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeafSum } from './leaf-check.js';

const leaf = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const leaves = fc.array(fc.oneof(leaf, fc.constantFrom('aa'.repeat(32), 'bb'.repeat(32))), { maxLength: 30 });
const KEY = Buffer.alloc(32, 7);

function sumOf(of: readonly string[], key = KEY): LeafSum {
  const sum = new LeafSum(key);
  for (const each of of) sum.add(each);
  return sum;
}
const isSame = (left: readonly string[], right: readonly string[]) =>
  left.toSorted().join() === right.toSorted().join();

describe('the sum of leaves', () => {
  it('is the same in any order, and another if a leaf is missing, added, repeated or replaced', () => {
    fc.assert(
      fc.property(leaves, leaves, fc.nat(), (some, others, place) => {
        expect(sumOf(some).equals(sumOf(others))).toBe(isSame(some, others));
        expect(sumOf(some).equals(sumOf(some.toReversed()))).toBe(true);
        const at = place % (some.length + 1);
        const added = some.toSpliced(at, 0, others[0] ?? 'cc'.repeat(32));
        expect(sumOf(added).equals(sumOf(some))).toBe(false);
        const repeated = [...added, added[at] as string];
        expect(sumOf(repeated).equals(sumOf(added))).toBe(false);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it('does not cancel out a leaf that is added many times', () => {
    const one = 'aa'.repeat(32);
    for (const times of [2, 3, 256, 1024])
      expect(sumOf(Array(times).fill(one)).equals(sumOf([]))).toBe(false);
  });

  it('depends on a key, so that no two sets are equal for every check', () => {
    const [left, right] = [['aa'.repeat(32)], ['bb'.repeat(32)]];
    for (let i = 0; i < 50; i += 1) {
      const key = randomBytes(32);
      expect(sumOf(left, key).equals(sumOf(right, key))).toBe(false);
      expect(sumOf(left, key).equals(sumOf(left, randomBytes(32)))).toBe(false);
    }
  });
});
