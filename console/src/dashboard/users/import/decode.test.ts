import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from './decode';

const bytes = (...parts: readonly (string | number)[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part, 'latin1')])),
  );

describe('the characters of a file [users/import-and-export]', () => {
  it('are UTF-8 with or without a byte order mark, or UTF-16 with one, for any text', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\ufeff]/.test(value));
    fc.assert(
      fc.property(text, (value) => {
        const expected = { text: value, isGuess: false };
        const wide = Buffer.from(`\ufeff${value}`, 'utf16le');
        expect(decode(new TextEncoder().encode(value))).toEqual(expected);
        expect(decode(new TextEncoder().encode(`\ufeff${value}`))).toEqual(expected);
        expect(decode(wide)).toEqual(expected);
        expect(decode(Buffer.from(wide).swap16())).toEqual(expected);
      }),
    );
  });

  it.each([
    ['Jörg', bytes('J', 0xf6, 'rg')],
    [
      'Name\r\nÉlodie O’Brien-Müller\r\n',
      bytes('Name\r\n', 0xc9, 'lodie O', 0x92, 'Brien-M', 0xfc, 'ller\r\n'),
    ],
    ['Žofie Šimková', bytes(0x8e, 'ofie ', 0x8a, 'imkov', 0xe1)],
    ['Créée “x”', bytes('Cr', 0xe9, 0xe9, 'e ', 0x93, 'x', 0x94)],
  ])('are a guess in Windows-1252: %s', (text, file) => {
    expect(decode(file)).toEqual({ text, isGuess: true });
  });

  it.each([
    ['UTF-8 with an invalid byte', bytes('J', 0xc3, 0xb6, 'rg\nM', 0xfc, 'ller')],
    ['UTF-8 that is cut off after a whole character', bytes('J', 0xc3, 0xb6, 'rg ', 0xe2, 0x82)],
    ['UTF-16 without a byte order mark', bytes('J', 0, 0xf6, 0, 'r', 0, 'g', 0)],
    ['ASCII as UTF-16 without a byte order mark', bytes('A', 0, 'd', 0, 'a', 0)],
    ['UTF-16 with half a character', bytes(0xff, 0xfe, 'J', 0, 0xf6)],
    ['Windows-1251 (Иван)', bytes('Name\n', 0xc8, 0xe2, 0xe0, 0xed)],
    ['DOS (Jörg)', bytes('J', 0x94, 'rg')],
    ['DOS (Jürg)', bytes('J', 0x81, 'rg')],
    ['an older Mac (Muñoz)', bytes('Mu', 0x96, 'oz')],
    ['an older Mac (Jürg)', bytes('J', 0x9f, 'rg')],
    ['Shift JIS (田中)', bytes(0x93, 0x63, 0x92, 0x86, ' ', 0x91, 0xbe, 0x98, 0x59)],
    ['a picture', bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0, 0, 0x0d)],
  ])('cannot be read in %s', (_name, file) => {
    expect(decode(file)).toBeUndefined();
  });
});
