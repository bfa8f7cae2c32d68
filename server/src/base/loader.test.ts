import { describe, expect, it } from 'vitest';
import { createLoader } from './loader.js';

function make() {
  const asked: (readonly string[])[] = [];
  const answers: ((result: Map<string, string> | Error) => void)[] = [];
  const load = createLoader<string, string>((keys) => {
    asked.push(keys);
    return new Promise((resolve, reject) => {
      answers.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
    });
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, answers, load, turn };
}

describe('the loader', () => {
  it('looks up a single key immediately, and batches keys requested while a query runs', async () => {
    const { asked, answers, load, turn } = make();
    const first = load('a');
    await turn();
    expect(asked).toEqual([['a']]);
    const others = [load('b'), load('c'), load('b'), load('a')];
    await turn();
    expect(asked).toHaveLength(1);
    answers[0]?.(new Map([['a', 'old']]));
    expect(await first).toBe('old');
    await turn();
    // A caller that arrives during the first query must not get its result: the key may have changed since.
    expect(asked).toEqual([['a'], ['b', 'c', 'a']]);
    answers[1]?.(
      new Map([
        ['a', 'new'],
        ['b', 'B'],
      ]),
    );
    expect(await Promise.all(others)).toEqual(['B', undefined, 'B', 'new']);
  });

  it('rejects the callers of a failed query, but not later ones', async () => {
    const { answers, load, turn } = make();
    const failed = [load('a'), load('b')].map((promise) => promise.catch((error: Error) => error.message));
    await turn();
    const later = load('a');
    answers[0]?.(new Error('gone'));
    expect(await Promise.all(failed)).toEqual(['gone', 'gone']);
    await turn();
    answers[1]?.(new Map([['a', 'A']]));
    expect(await later).toBe('A');
  });
});
