import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedNumber } from './changed-number.js';

const pathIn = (json: string) => changedNumber(json)?.join('.');

describe('a number in JSON [http/exact-numbers]', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9.007199254740993e15',
    '0.9007199254740993E+16',
    '9007199254740991.5',
    '12345678901234567890',
    // Exact as a double, and written again as another integer.
    '1180591620717411303424',
    '1e400',
    '-1e400',
    '1e-400',
  ])('%s would be changed', (literal) => expect(pathIn(`{"a":${literal}}`)).toBe('a'));

  it.each([
    '0',
    '-0',
    '0.0e-999',
    '9007199254740991',
    '9007199254740992',
    '9007199254740994',
    '1e22',
    '1e23',
    '1e308',
    '100000000000000000000000',
    '1.7976931348623157e+308',
    '5e-324',
    '0.1000000000000000055',
    '0.30000000000000004',
    '3.141592653589793238462643',
  ])('%s keeps its value', (literal) => expect(pathIn(`{"a":${literal}}`)).toBeUndefined());

  it('is found by its path, and not in text', () => {
    const big = '9007199254740993';
    expect(pathIn(`{"a":"${big}","${big}":1,"b":[0,{"c":[1,2,[]],"d":[{},${big}]}]}`)).toBe('b.1.d.1');
    expect(pathIn(`{"a":"\\"${big}","b":[${big}]}`)).toBe('b.0');
    expect(pathIn(`{"a":{"b":1},"c":${big}}`)).toBe('c');
    expect(pathIn(`[[1],[2,${big}]]`)).toBe('1.1');
    expect(pathIn(big)).toBe('');
    expect(pathIn(`{"a":"${big}"}`)).toBeUndefined();
  });

  it('is written again as it was, whichever double it is', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, (value) => pathIn(JSON.stringify([value])) === undefined),
      { numRuns: 10_000 },
    );
  });

  it('may have 60,000 digits', () => {
    const zeros = '0'.repeat(60_000);
    for (const literal of [`1${zeros}1`, `0.${zeros}1`, `1${zeros}`])
      expect(pathIn(`[${literal}]`)).toBe('0');
  });
});
