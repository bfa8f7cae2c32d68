import { describe, expect, it } from 'vitest';
import { isMatch, isUnchanged } from './entity-tags.js';

describe('If-Match and If-None-Match [http/lists-and-weak-tags]', () => {
  it.each<[header: string | undefined, strongly: boolean, weakly: boolean]>([
    ['"a"', true, true],
    ['*', true, true],
    [' * ', true, true],
    ['"b", "a"', true, true],
    ['"b","a"', true, true],
    ['"b" ,\t"a" ', true, true],
    ['"b",, "a",', true, true],
    ['W/"a"', false, true],
    ['W/"a", "b"', false, true],
    ['W/"a", "a"', true, true],
    ['"b"', false, false],
    ['"b, "a"', false, false],
    ['"x,"a","', false, false],
    ['a', false, false],
    ['w/"a"', false, false],
    ['"a" "b"', false, false],
    ['*, "b"', false, false],
    ['', false, false],
    [undefined, false, false],
  ])('%j', (header, strongly, weakly) => {
    expect([isMatch(header, '"a"'), isUnchanged(header, '"a"')]).toEqual([strongly, weakly]);
  });

  it('may have commas in their tags', () => {
    expect(isMatch('"b", "x,y"', '"x,y"')).toBe(true);
  });

  it('may be thousands', () => {
    for (const header of [`${'"a", '.repeat(4_000)}x`, `${', '.repeat(8_000)}x`, '"'.repeat(16_000)])
      expect(isMatch(header, '"b"')).toBe(false);
  });
});
