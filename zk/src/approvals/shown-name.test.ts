import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownName } from './shown-name.js';
import { textFault } from './text.js';
import { isAllowed } from './unicode.js';

const shown = (name: string) => shownName(name, 'A place');
const fault = (text: string) => textFault(text, { max: 200 });

describe('a name in a statement', () => {
  it.each([
    ['as it is', 'Müller & Söhne GmbH', 'Müller & Söhne GmbH'],
    ['without spaces around it', '  Entrance\u00a0', 'Entrance'],
    ['with single spaces, all of the same kind', 'North\u00a0\u2003 gate\u3000 2', 'North gate 2'],
    ['without line breaks', 'North\ngate', 'Northgate'],
    ['without invisible characters', 'Ga\u200bte\ufeff \u202e1', 'Gate 1'],
    ['without half of a surrogate pair', 'Gate \ud83d', 'Gate'],
    ['without a mark at its begin', ' \u0301Gate', 'Gate'],
    ['in Normalization Form C', 'Mu\u0308ller', 'Müller'],
    ['with a letter and its mark in one, when what was between them is left out', 'u\u200d\u0308', 'ü'],
    ['with Å for the sign of the unit', '\u212bngström', 'Ångström'],
    ['with a letter and a mark for a letter that is never in Form C', '\u095b', '\u091c\u093c'],
    ['with a mark on a letter that has no form with it', 'Ọ\u0300ṣun', 'Ọ\u0300ṣun'],
    ['with a letter that is struck through if it is a character of its own', 'a =\u0338 b\u0338', 'a ≠ b'],
    ['with its first 200 characters', `${'🚀'.repeat(199)} Gate`, '🚀'.repeat(199)],
    ['as the other one, if nothing is left', ' \u200b\u0301', 'A place'],
    ['as the other one, if marks cover other lines', 'Ga\u0316\u0317\u0318te', 'A place'],
    ['as the other one, if it is empty', '', 'A place'],
  ])('is shown %s', (_, name, expected) => {
    expect(shown(name)).toBe(expected);
  });

  /** Mostly what names are changed for: marks, spaces, invisible characters and those that compose. */
  const code = fc.oneof(
    fc.constantFrom(0x20, 0xa0, 0x2003, 0x3000, 0x200b, 0x200d, 0x0a, 0x212b, 0x958, 0xfb1d, 0x1d15e, 0xd800),
    fc.constantFrom(0x3c, 0x3d, 0x2203, 0x2260, 0x226e, 0x338, 0x327, 0x1d165),
    fc.integer({ min: 0x20, max: 0x1ff }),
    fc.integer({ min: 0x300, max: 0x36f }),
    fc.integer({ min: 0x1100, max: 0x11ff }),
    fc.integer({ min: 0, max: 0x10ffff }),
  );
  const names = fc
    .array(code, { maxLength: 250 })
    .map((codes) => codes.map((each) => String.fromCodePoint(each)).join(''));

  it('may be shown, or is the other one, and stays as it is the second time', { tags: ['ci'] }, () => {
    fc.assert(
      fc.property(names, (name) => {
        const once = shown(name);
        expect(fault(once)).toBeUndefined();
        expect(shown(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is itself if it may be shown and has no other spaces than U+0020', { tags: ['ci'] }, () => {
    const lines = fc.array(code.filter(isAllowed), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, (codes) => {
        const name = String.fromCodePoint(...codes).normalize('NFC');
        fc.pre(fault(name) === undefined && !/[^\S ]/.test(name));
        expect(shown(name)).toBe(name);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is what the steps of docs/proofs.md give with the Form C of the platform', { tags: ['ci'] }, () => {
    // Beyond U+FFFF, a later Unicode has letters that compose.
    const known = fc.array(
      code.filter((each) => each < 0x10000),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(known, (codes) => {
        const name = codes.map((each) => String.fromCodePoint(each)).join('');
        const allowed = Array.from(name.normalize('NFC')).filter((each) =>
          isAllowed(each.codePointAt(0) as number),
        );
        const spaced = allowed.join('').normalize('NFC').replace(/\s+/g, ' ');
        const trimmed = spaced.replace(/^[ \p{M}]+/u, '').trim();
        expect(shown(name)).toBe(fault(trimmed) === undefined ? trimmed : 'A place');
      }),
      { numRuns: 2_000 },
    );
  });
});
