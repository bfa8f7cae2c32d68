import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIds, systemRandom, timeOfId, uuidV4 } from './random.js';

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a random UUID', () => {
  it('is version 4 for any random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(uuidV4({ bytes: () => Buffer.from(bytes) })).toMatch(V4);
      }),
    );
    const made = Array.from({ length: 1_000 }, () => uuidV4(systemRandom));
    expect(new Set(made).size).toBe(1_000);
  });
});

describe('an identifier', () => {
  it('is version 7, and later ones are greater even when the clock steps back [http/ids]', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 300 }), (steps) => {
        let now = 1_778_578_200_000;
        const ids = createIds({ now: () => now }, systemRandom);
        const made = steps.map((step) => {
          now += step;
          return ids();
        });
        for (const id of made) expect(id).toMatch(V7);
        expect(made).toEqual([...new Set(made)].sort());
      }),
    );
  });

  it('keeps its order beyond 4,096 in a millisecond', () => {
    const ids = createIds({ now: () => 1_778_578_200_000 }, systemRandom);
    const made = Array.from({ length: 10_000 }, () => ids());
    expect(made).toEqual([...new Set(made)].sort());
  });

  it('begins with its timestamp', () => {
    const at = Date.parse('2026-05-12T09:30:00.123Z');
    const id = createIds({ now: () => at }, systemRandom)();
    expect(timeOfId(id)).toBe(at);
    for (const other of [uuidV4(systemRandom), id.slice(1), `${id} `, ''])
      expect(timeOfId(other)).toBeUndefined();
  });
});
