import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepEvents } from './kept-events.js';

const event = (seq: number, size = 1) => ({ seq, canonical: 'x'.repeat(size) });

describe('the kept events of a chain', () => {
  it('are all events after a position, or it says that some are missing', () => {
    const batches = fc.array(fc.array(fc.constantFrom(1, 2_000, 400_000), { maxLength: 300 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.nat(50), batches, (start, sizes) => {
        const kept = keepEvents<ReturnType<typeof event>>(start);
        const all: ReturnType<typeof event>[] = [];
        for (const batch of sizes) {
          const rows = batch.map((size, at) => event(start + all.length + at + 1, size));
          all.push(...rows);
          kept.add(rows, start + all.length);
          for (let seq = Math.max(0, start - 2); seq <= kept.head + 2; seq += 1) {
            const after = kept.after(seq);
            if (after !== undefined) expect(after).toEqual(all.filter((row) => row.seq > seq));
            if (seq >= kept.head) expect(after).toEqual([]);
            if (seq < start) expect(after === undefined || after.length === 0).toBe(true);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are at most 500 with a million characters', () => {
    const kept = keepEvents<ReturnType<typeof event>>(0);
    kept.add(
      Array.from({ length: 700 }, (_, at) => event(at + 1)),
      700,
    );
    expect(kept.after(200)).toHaveLength(500);
    expect(kept.after(199)).toBeUndefined();
    kept.add([event(701, 999_990), event(702, 5)], 702);
    expect(kept.after(695)).toHaveLength(7);
    expect(kept.after(694)).toBeUndefined();
  });

  it('are dropped when a restored database goes on from an earlier position', () => {
    const kept = keepEvents<ReturnType<typeof event>>(5);
    kept.add([event(6), event(7)], 7);
    kept.add([], 3);
    expect([kept.head, kept.after(2), kept.after(3)]).toEqual([3, undefined, []]);
    kept.add([event(4)], 4);
    expect(kept.after(3)).toEqual([event(4)]);
  });
});
