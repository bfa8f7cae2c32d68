import { describe, expect, it } from 'vitest';
import { mapConcurrently } from './concurrently.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('mapConcurrently', () => {
  it('returns the results in the order of the items, and runs no more than the limit at a time', async () => {
    const ends: (() => void)[] = [];
    const mapped = mapConcurrently([1, 2, 3, 4], 2, async (item) => {
      await new Promise<void>((resolve) => {
        ends[item] = resolve;
      });
      return item * 10;
    });
    await turn();
    expect(Object.keys(ends)).toEqual(['1', '2']);
    ends[2]?.();
    await turn();
    expect(Object.keys(ends)).toEqual(['1', '2', '3']);
    ends[3]?.();
    await turn();
    ends[4]?.();
    ends[1]?.();
    expect(await mapped).toEqual([10, 20, 30, 40]);
  });

  it('starts no more items after a failure, and throws when those that were started have ended', async () => {
    const started: number[] = [];
    let end = () => {};
    let hasThrown = false;
    const mapped = mapConcurrently([1, 2, 3], 2, async (item) => {
      started.push(item);
      if (item === 1) throw new Error('first');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    }).catch((error) => {
      hasThrown = true;
      throw error;
    });
    await turn();
    expect(hasThrown).toBe(false);
    end();
    await expect(mapped).rejects.toThrow('first');
    expect(started).toEqual([1, 2]);
  });

  it('returns nothing for nothing', async () => {
    expect(await mapConcurrently([], 4, async () => 1)).toEqual([]);
  });
});
