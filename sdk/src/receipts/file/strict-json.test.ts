import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceiptFault } from '../fault.js';
import { parseStrictly } from './strict-json.js';

/** JSON without fractions, with half of a surrogate pair never. */
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('value'), {
      maxKeys: 4,
    }),
  ),
}));

const codeOf = (text: string | Uint8Array): string => {
  try {
    parseStrictly(text);
    return 'parsed';
  } catch (error) {
    if (error instanceof ReceiptFault) return error.code;
    throw error;
  }
};

describe('parseStrictly', () => {
  it('reads what JSON.stringify writes, with any indentation', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseStrictly(text)).toEqual(JSON.parse(text));
        expect(parseStrictly(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reads nothing that JSON.parse does not read, and throws nothing else for any text', () => {
    const pieces = fc.constantFrom(
      ...'{}[]":,\\ud83e-01.e \t\n\u0000',
      'null',
      'true',
      '"a"',
      '"\\ud83d"',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        if (codeOf(text) === 'parsed') expect(parseStrictly(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a key twice, at any depth', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 10 }), (key, depth) => {
        const name = JSON.stringify(key);
        const text = `${'['.repeat(depth)}{${name}:1,"other ${key.length}":2,${name}:1}${']'.repeat(depth)}`;
        expect(codeOf(text)).toBe('malformed');
      }),
    );
    expect(codeOf('{"a":1,"\\u0061":1}')).toBe('malformed');
  });

  it.each([
    ['a fraction', '1.5'],
    ['an exponent', '1e3'],
    ['a number beyond 53 bits', '9007199254740992'],
    ['a thousand digits', '9'.repeat(1000)],
    ['minus zero', '-0'],
    ['half of a surrogate pair', '"\\ud83d"'],
    ['the other half', '"\\udc00\\ud83d"'],
    ['a control character', '"\u0001"'],
    ['18 levels', `${'['.repeat(18)}${']'.repeat(18)}`],
    ['a million levels', '['.repeat(200_000)],
    ['more than 256 KiB', `"${'a'.repeat(256 * 1024)}"`],
    ['a byte order mark', '\ufeff{}'],
    ['something after the end', '{} {}'],
    ['a comma too many', '[1,]'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(codeOf(text)).toBe('malformed');
  });

  it('refuses what is not UTF-8', () => {
    expect(codeOf(Uint8Array.of(0x22, 0xff, 0x22))).toBe('malformed');
  });
});
