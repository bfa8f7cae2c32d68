import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyVisible, VISIBLE, visibleName } from './visible.js';

/** The null notehead, and marks that cover or enclose a character. */
const isStrange = (code: number) =>
  code === 0x1d159 || (code >= 0x334 && code <= 0x338) || (code >= 0x20d0 && code <= 0x20f0);

/** Every assigned or unassigned code point that nobody sees, but for the three with an exception. */
const INVISIBLE = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (text) =>
      /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u.test(text) ||
      isStrange(text.codePointAt(0) as number),
  )
  .filter((text) => !['\u200c', '\u200d', '\ufe0f'].includes(text));

/** Some that are only visible, or only invisible, beside others. */
const OTHERS = ['\u200c', '\u200d', '\ufe0f', '❤', '\u0600', '\u0301', '\u094d', '\u180b', '\u{1fc00}'];

const invisible = fc.nat(INVISIBLE.length - 1).map((at) => INVISIBLE[at] as string);
const letters = fc.string({ unit: fc.constantFrom('A', 'ß', 'ن', '한', 'क', '株', ' ', '&'), maxLength: 20 });

describe('a name', () => {
  it.each([
    ['Hangul filler', '\u3164'],
    ['Hangul choseong filler', '\u115f'],
    ['Hangul jungseong filler', '\u1160'],
    ['half-width Hangul filler', '\uffa0'],
    ['empty Braille pattern', '\u2800'],
    ['right-to-left override', '\u202e'],
    ['left-to-right isolate', '\u2066'],
    ['zero-width space', '\u200b'],
    ['byte order mark', '\ufeff'],
    ['soft hyphen', '\u00ad'],
    ['combining grapheme joiner', '\u034f'],
    ['tag character', '\u{e0041}'],
    ['line separator', '\u2028'],
    ['bell', '\u0007'],
    ['stroke over a letter', '\u0336'],
    ['enclosing circle', '\u20dd'],
    ['object replacement character', '\ufffc'],
    ['null notehead', '\u{1d159}'],
  ])('with a %s is not visible', (_, character) => {
    for (const name of [
      character,
      `${character}Example AG`,
      `Exam${character}ple AG`,
      `Example AG${character}`,
    ])
      expect(visibleName(name), JSON.stringify(name)).toBeUndefined();
  });

  it('with any invisible character anywhere is not visible [phones/visible-names]', () => {
    fc.assert(
      fc.property(letters, invisible, letters, (before, character, after) => {
        expect(visibleName(before + character + after)).toBeUndefined();
        expect(VISIBLE.test(`A${before}${character}${after}A`)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'Example AG',
    'Müller & Söhne GmbH',
    '株式会社テスト',
    '(주)한국회사',
    'شركة المثال',
    'شرکت نمونه‌سازی',
    'कंपनी',
    'क्‍ष उद्योग',
    'ශ්‍රී ලංකා',
    'L’Oréal 50 %',
    'Café ❤️',
    'Cafe\u0301',
    'A\u00a0B',
  ])('in any script is visible: %s [phones/visible-names]', (name) => {
    expect(visibleName(name)).toBe(name);
    expect(onlyVisible(name)).toBe(name);
  });

  it.each(['A\u200dB', 'ن\u200c', '\u200cن', 'نA\u200cن', 'ن\u200c\u200cن', 'A\ufe0f', '👩\u200d🔬'])(
    'has joiners only within the scripts that need them: %j is not visible [phones/visible-names]',
    (name) => {
      expect(visibleName(name)).toBeUndefined();
    },
  );

  it.each(['\u0301Example AG', '  \u0301Example AG', '\u093eक'])(
    'has no mark at its beginning, where it is drawn over what stands before: %j is not visible [approvals/forbidden-characters]',
    (name) => {
      expect(visibleName(name)).toBeUndefined();
      expect(VISIBLE.test(onlyVisible(name))).toBe(true);
    },
  );

  it('loses the spaces at its ends', () => {
    expect(visibleName('  Example AG ')).toBe('Example AG');
    expect(visibleName('  ')).toBeUndefined();
    expect(visibleName('Example\u3000')).toBeUndefined();
  });

  it('is checked in linear time', () => {
    const before = process.cpuUsage();
    for (const text of [`A${' '.repeat(50_000)}B\u0007`, 'ن\u200c'.repeat(25_000), '\u200c'.repeat(50_000)])
      visibleName(text);
    // Of CPU, because a busy machine takes any time. Quadratic time would be several seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('the visible part of a stored name', () => {
  it('is visible text, or empty', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(letters, invisible, fc.constantFrom(...OTHERS)), { maxLength: 20 }),
        (parts) => {
          const shown = onlyVisible(parts.join(''));
          expect(shown === '' || VISIBLE.test(shown)).toBe(true);
        },
      ),
    );
    expect(onlyVisible('\u202eGA elpmaxE\u202c\u3164')).toBe('GA elpmaxE');
  });
});
