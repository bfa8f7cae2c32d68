/** Random numbers from a seed (mulberry32), so that a failed run can be repeated. */
export interface Seeded {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer in the range, both ends included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Up to `max` of the items, in random order. */
  sample<T>(from: readonly T[], max: number): T[];
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (from) => from[between(0, from.length - 1)] as (typeof from)[number],
    sample(from, max) {
      const left = [...from];
      const taken: typeof left = [];
      while (left.length > 0 && taken.length < max)
        taken.push(...left.splice(between(0, left.length - 1), 1));
      return taken;
    },
  };
}

/** Returns and prints LONG_SEED. Default: a random seed. */
export function seedOf(suite: string): number {
  const seed = Number(process.env.LONG_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${suite}: LONG_SEED=${seed}`);
  return seed;
}
