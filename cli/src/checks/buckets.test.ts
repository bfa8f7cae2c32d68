import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBuckets } from './buckets.js';

const MIB = 1024 * 1024;

describe('lines in buckets', () => {
  it.each([1, 100 * MIB, 100_000 * MIB])(
    'are all there once, those of a key together and in order, for %s bytes',
    (bytes) => {
      const key = fc.constantFrom('a00001', 'b00002', 'c0ffee', 'no hex');
      fc.assert(
        fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 50 }), (added) => {
          const buckets = openBuckets(bytes);
          // Longer than what is held before it is written.
          for (const [of, n] of added) buckets.add(of, `${of} ${n} ${'x'.repeat(9_000)}`);
          const files = [...buckets.all()].map((lines) => lines.map((line) => line.split(' x')[0] as string));
          buckets.close();
          const wanted = added.map(([of, n]) => `${of} ${n}`);
          expect(files.flat().toSorted()).toEqual(wanted.toSorted());
          for (const [of] of added) {
            const isOf = (line: string) => line.startsWith(of);
            expect(files.filter((lines) => lines.some(isOf))).toHaveLength(1);
            expect(files.flat().filter(isOf)).toEqual(wanted.filter(isOf));
          }
        }),
        { numRuns: 20 },
      );
    },
  );
});
