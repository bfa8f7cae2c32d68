import { describe, expect, it } from 'vitest';
import { compare } from '../support/contract/transcript.js';

const answer = (value: object) => JSON.stringify(value);
const isAsShown = (shown: object, answered: object) => {
  const both = compare(answer(shown), answer(answered), new Map());
  return answer(both.shown) === answer(both.answered);
};

describe('an answer on a page', () => {
  it('may leave out a field that is null', () => {
    expect(isAsShown({ a: 1, c: 2 }, { a: 1, b: null, c: 2 })).toBe(true);
  });

  it('leaves out no other field, and shows none that the answer has not', () => {
    expect(isAsShown({ a: 1, c: 2 }, { a: 1, b: 0, c: 2 })).toBe(false);
    expect(isAsShown({ a: 1, b: null, c: 2 }, { a: 1, c: 2 })).toBe(false);
    expect(isAsShown({ a: 1, c: 2 }, { a: null, c: 2 })).toBe(false);
  });
});
