import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFault } from './text.js';
import { isAllowed, isNormalized } from './unicode.js';

const fault = (text: string) => textFault(text, { max: 400 });

describe('the text of an approval', () => {
  it.each(
    [
      'Pay €1,200.50 to Müller GmbH',
      'Zahlung an Straßenbau Würzburg №7 — fällig',
      'ệ is one character and a mark',
      'Nguyễn Thị Minh Khai',
      'கா',
      '개발 서버에 배포',
      'Оплата счёта',
      'دفع الفاتورة',
      '支払い　承認',
      '🚀 deploy',
    ].map((text) => [text.normalize('NFC')]),
  )('may be %s', (text) => {
    expect(fault(text)).toBeUndefined();
  });

  it.each([
    ['a control character', 'a\u0007b', 'U+0007'],
    ['a line break', 'a\nb', 'U+000A'],
    ['a right-to-left override', 'a\u202eb', 'U+202E'],
    ['an isolate', 'a\u2066b', 'U+2066'],
    ['a zero-width space', 'a\u200bb', 'U+200B'],
    ['a zero-width joiner', 'a\u200db', 'U+200D'],
    ['a byte order mark', 'a\ufeffb', 'U+FEFF'],
    ['a soft hyphen', 'a\u00adb', 'U+00AD'],
    ['a combining grapheme joiner', 'a\u034fb', 'U+034F'],
    ['a Hangul filler', 'a\u3164b', 'U+3164'],
    ['a variation selector', 'a\ufe0fb', 'U+FE0F'],
    ['a tag', 'a\u{e0041}b', 'U+E0041'],
    ['a private character', 'a\ue000b', 'U+E000'],
    ['an unassigned one', 'a\u0378b', 'U+0378'],
    ['one that Unicode 15.1 added', 'a\u{2ebf0}b', 'U+2EBF0'],
    ['a noncharacter', 'a\ufffeb', 'U+FFFE'],
    ['an empty pattern of Braille', 'a\u2800b', 'U+2800'],
    ['an overlay, which strikes a letter through [approvals/forbidden-characters]', 'paid 1\u0336', 'U+0336'],
    ['a slash over a digit [approvals/forbidden-characters]', '1\u0338', 'U+0338'],
    ['a mark that encloses a character [approvals/forbidden-characters]', 'a\u20dd', 'U+20DD'],
    ['the last mark for symbols [approvals/forbidden-characters]', 'a\u20f0', 'U+20F0'],
    ['a place for an object [approvals/forbidden-characters]', 'a\ufffcb', 'U+FFFC'],
    ['a notehead that nobody sees [approvals/forbidden-characters]', 'a\u{1d159}b', 'U+1D159'],
    [
      'a mark at its begin, which is drawn over what stands before it [approvals/forbidden-characters]',
      '\u0301a',
      'begin with a combining',
    ],
    ['half of a surrogate pair', 'a\ud800b', 'U+D800'],
    ['a line separator', 'a\u2028b', 'U+2028'],
    ['a character that is never in Form C', '\u212b', 'U+212B'],
    ['a space at its begin', ' a', 'begin or end'],
    ['a space at its end', 'a\u00a0', 'begin or end'],
    ['two spaces', 'a  b', 'two spaces'],
    ['two different spaces', 'a \u2003b', 'two spaces'],
    ['three marks in a row', 'a\u0316\u0317\u0318', 'combining marks'],
    ['a mark apart from its letter', 'u\u0308', 'Form C'],
    ['marks in the wrong order', 'q\u0307\u0323', 'Form C'],
    ['a syllable in parts', '\u1100\u1161', 'Form C'],
    ['nothing', '', 'empty'],
    ['too much', 'a'.repeat(401), 'at most 400'],
  ])('may not have %s', (_, text, message) => {
    expect(fault(text)).toContain(message);
  });

  it('is counted in characters, not in units of UTF-16', () => {
    expect(textFault('🚀'.repeat(80), { max: 80 })).toBeUndefined();
    expect(textFault('🚀'.repeat(81), { max: 80 })).toContain('at most 80');
  });

  it('may have line breaks in a note, but not at its begin or end', () => {
    const note = (text: string) => textFault(text, { max: 1_000, lines: true });
    expect(note('First line.\n\nSecond line.')).toBeUndefined();
    for (const text of ['\nFirst', 'Last\n', 'a\n\u0301b', 'a\r\nb', 'a \nb', 'a\u2028b'])
      expect(note(text), text).toBeDefined();
  });
});

describe('Normalization Form C by the table', () => {
  /** Mostly characters that compose, so that random texts are not just letters. */
  const interesting = fc.oneof(
    fc.integer({ min: 0x41, max: 0x1ff }),
    fc.integer({ min: 0x300, max: 0x36f }),
    fc.integer({ min: 0x900, max: 0xdff }),
    fc.integer({ min: 0x1000, max: 0x11ff }),
    fc.integer({ min: 0x1e00, max: 0x1fff }),
    fc.integer({ min: 0xac00, max: 0xac40 }),
    fc.integer({ min: 0x11000, max: 0x11fff }),
    fc.integer({ min: 0, max: 0x10ffff }),
  );

  it('is what the platform says of every text of allowed characters', { tags: ['ci'] }, () => {
    fc.assert(
      fc.property(fc.array(interesting.filter(isAllowed), { minLength: 1, maxLength: 8 }), (codes) => {
        const text = String.fromCodePoint(...codes);
        expect(isNormalized(codes)).toBe(text.normalize('NFC') === text);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is what the platform says of every allowed character, also with each mark that may compose with it', {
    tags: ['ci'],
  }, () => {
    const marks = [0x301, 0x308, 0x323, 0x338, 0x345, 0x9be, 0xdcf, 0x3099, 0x1161, 0x11a8];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (!isAllowed(code)) continue;
      const alone = String.fromCodePoint(code);
      if (isNormalized([code]) !== (alone.normalize('NFC') === alone)) expect.unreachable(alone);
      // Ideographs compose with nothing.
      if (code > 0x3300 && code < 0x10000 && (code < 0xac00 || code > 0xac20)) continue;
      if (code > 0x12000) continue;
      for (const mark of marks) {
        const text = String.fromCodePoint(code, mark);
        if (isNormalized([code, mark]) !== (text.normalize('NFC') === text)) expect.unreachable(text);
      }
    }
  });
});
