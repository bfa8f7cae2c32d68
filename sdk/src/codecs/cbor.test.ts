import { decode, encode, rfc8949EncodeOptions } from 'cborg';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CborValue, decodeCbor, encodeCbor } from './cbor.js';

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Any supported value. */
const { value: values } = fc.letrec<{ value: CborValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.nat(),
    // The library writes every safe integer as an integer. We write those over 32 bits, and negative ones, as floats.
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
    fc.array(tie('value'), { maxLength: 30 }),
    fc.dictionary(
      fc.string({ maxLength: 30 }).filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 30 },
    ),
  ),
}));
/** The library reads and writes all floats with 64 bits, as we do. */
const strict = { strict: true, rejectDuplicateMapKeys: true, allowIndefinite: false };

describe('CBOR', () => {
  it('is encoded as cborg encodes it, and decoded by both', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = encodeCbor(value);
        expect(hexOf(bytes)).toBe(hexOf(encode(value, { ...rfc8949EncodeOptions, float64: true })));
        expect(decodeCbor(bytes)).toEqual(value);
        expect(decode(bytes, strict)).toEqual(value);
      }),
    );
  });

  it('has one zero', () => {
    expect(hexOf(encodeCbor(-0))).toBe('00');
    expect(() => decodeCbor(bytesOf('fb8000000000000000'))).toThrow(TypeError);
  });

  it('decodes random or altered bytes only to the value that cborg decodes', { tags: ['ci'] }, () => {
    const altered = fc.tuple(values, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = encodeCbor(value);
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), altered), (bytes) => {
        let ours: CborValue;
        try {
          ours = decodeCbor(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(decode(bytes, strict)).toEqual(ours);
        // A value has one encoding, except for the order of its keys.
        expect(encodeCbor(ours)).toHaveLength(bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['no bytes', ''],
    ['trailing bytes', '0000'],
    ['a number that is not in its shortest form', '1817'],
    ['a length that is not in its shortest form', '790001 61'.replaceAll(' ', '')],
    ['a float that is an integer', 'fb3ff0000000000000'],
    ['NaN', 'fb7ff8000000000000'],
    ['a 64-bit integer', '1b0000000100000000'],
    ['a negative number', '20'],
    ['bytes', '4100'],
    ['a tag', 'c000'],
    ['true', 'f5'],
    ['an indefinite list', '9f00ff'],
    ['an indefinite text', '7f6161ff'],
    ['a repeated key', 'a2616100616101'],
    ['a key that is not text', 'a10000'],
    ['truncated text', '6261'],
    ['text that is not UTF-8', '61ff'],
    ['a list that claims 4 billion items', '9affffffff'],
    ['a map that claims 4 billion entries', 'baffffffff'],
    ['100 nested lists', '81'.repeat(100)],
  ])('with %s is rejected', (_, hex) => {
    expect(() => decodeCbor(bytesOf(hex))).toThrow(TypeError);
  });

  it('decodes a key named __proto__ as a plain property', () => {
    const value = decodeCbor(encodeCbor(JSON.parse('{"__proto__":{"x":1}}')));
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('is not encoded from other types', () => {
    for (const value of [null, undefined, true, 1n, () => {}])
      expect(() => encodeCbor(value as unknown as CborValue)).toThrow(TypeError);
  });
});
