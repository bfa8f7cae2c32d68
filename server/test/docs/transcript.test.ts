import { describe, expect, it } from 'vitest';
import { compare } from '../support/contract/transcript.js';

const answer = (value: object) => JSON.stringify(value);
const matches = (shown: object, answered: object) => {
  const both = compare(answer(shown), answer(answered), new Map());
  return answer(both.expected) === answer(both.actual);
};

describe('a response on a page', () => {
  it('may omit a field that is null', () => {
    expect(matches({ a: 1, c: 2 }, { a: 1, b: null, c: 2 })).toBe(true);
  });

  it('may not omit any other field, nor contain one that the real response does not have', () => {
    expect(matches({ a: 1, c: 2 }, { a: 1, b: 0, c: 2 })).toBe(false);
    expect(matches({ a: 1, b: null, c: 2 }, { a: 1, c: 2 })).toBe(false);
    expect(matches({ a: 1, c: 2 }, { a: null, c: 2 })).toBe(false);
  });
});
