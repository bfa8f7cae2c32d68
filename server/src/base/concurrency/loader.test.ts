import { describe, expect, it } from 'vitest';
import { createLoader } from './loader.js';

function make() {
  const queries: (readonly string[])[] = [];
  const settle: ((result: Map<string, string> | Error) => void)[] = [];
  const load = createLoader<string, string>((keys) => {
    queries.push(keys);
    return new Promise((resolve, reject) => {
      settle.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
    });
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { queries, settle, load, turn };
}

describe('the loader', () => {
  it('looks up a single key immediately, and batches keys requested while a query runs', async () => {
    const { queries, settle, load, turn } = make();
    const first = load('a');
    await turn();
    expect(queries).toEqual([['a']]);
    const others = [load('b'), load('c'), load('b'), load('a')];
    await turn();
    expect(queries).toHaveLength(1);
    settle[0]?.(new Map([['a', 'old']]));
    expect(await first).toBe('old');
    await turn();
    // A caller that arrives during the first query must not get its result: the key may have changed since.
    expect(queries).toEqual([['a'], ['b', 'c', 'a']]);
    settle[1]?.(
      new Map([
        ['a', 'new'],
        ['b', 'B'],
      ]),
    );
    expect(await Promise.all(others)).toEqual(['B', undefined, 'B', 'new']);
  });

  it('rejects the callers of a failed query, but not later ones', async () => {
    const { settle, load, turn } = make();
    const failed = [load('a'), load('b')].map((promise) => promise.catch((error: Error) => error.message));
    await turn();
    const later = load('a');
    settle[0]?.(new Error('gone'));
    expect(await Promise.all(failed)).toEqual(['gone', 'gone']);
    await turn();
    settle[1]?.(new Map([['a', 'A']]));
    expect(await later).toBe('A');
  });
});
