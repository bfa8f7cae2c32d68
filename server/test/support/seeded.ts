/** Numbers that follow from a seed (mulberry32), so that a run that failed can be had again. */
export interface Seeded {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Up to so many of them, in a random order. */
  sample<T>(from: readonly T[], most: number): T[];
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
    sample(from, most) {
      const left = [...from];
      const taken: typeof left = [];
      while (left.length > 0 && taken.length < most)
        taken.push(...left.splice(between(0, left.length - 1), 1));
      return taken;
    },
  };
}

/** LONG_SEED of the environment, else a new one; printed either way. */
export function seedOf(suite: string): number {
  const seed = Number(process.env.LONG_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${suite}: LONG_SEED=${seed}`);
  return seed;
}
