import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawCode, normaliseCode } from './code.js';

/** The same bytes in every run: SHA-256 in counter mode. */
function seeded(seed: string): (size: number) => Uint8Array {
  let counter = 0;
  return (size) => {
    const blocks: Buffer[] = [];
    for (let made = 0; made < size; made += 32) {
      counter += 1;
      blocks.push(createHash('sha256').update(`${seed}|${counter}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, size);
  };
}

const SYMBOLS = '23456789ACDEFGHJKMNPQRTVWXY';

describe('100,000 codes', () => {
  const codes = Array.from(
    { length: 100_000 },
    (
      (bytes) => () =>
        drawCode(bytes)
    )(seeded('codes')),
  );

  it('have the form SV-XXXX-XXXX, in an alphabet of 27 without 0, 1, I, L, O, U and look-alikes [devices/alphabet-of-codes]', {
    tags: ['ci'],
  }, () => {
    for (const code of codes)
      expect(code).toMatch(/^SV-[2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}$/);
    const used = new Set(codes.flatMap((code) => [...code.slice(3).replace('-', '')]));
    expect([...used].sort().join('')).toBe(SYMBOLS);
  });

  it('are never the same twice', () => expect(new Set(codes).size).toBe(codes.length));

  it('have equally frequent symbols at every position', () => {
    for (const place of [3, 4, 5, 6, 8, 9, 10, 11]) {
      const counts = new Map<string, number>();
      for (const code of codes) {
        const symbol = code[place] as string;
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      }
      const expected = codes.length / SYMBOLS.length;
      const chiSquare = [...SYMBOLS].reduce(
        (sum, symbol) => sum + ((counts.get(symbol) ?? 0) - expected) ** 2 / expected,
        0,
      );
      // 26 degrees of freedom, one in 10,000; taking bytes modulo 27 without rejection gives over 300.
      expect(chiSquare, `place ${place}`).toBeLessThan(60);
    }
  });
});

describe('a code that a person types', () => {
  const code = fc
    .array(fc.constantFrom(...SYMBOLS), { minLength: 8, maxLength: 8 })
    .map((symbols) => `SV-${symbols.slice(0, 4).join('')}-${symbols.slice(4).join('')}`);
  const gap = fc.constantFrom('', '-', ' ', ' - ', '\t', '--');
  const LIKE: Record<string, string> = { 8: 'B', 5: 'S', 2: 'Z' };

  it('is accepted in any case, with dashes and spaces anywhere, with or without its prefix, and with look-alikes', () => {
    const typed = fc.tuple(
      code,
      fc.array(gap, { minLength: 12, maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(typed, ([meant, gaps, lower, alike, prefixed]) => {
        const bare = [...meant.slice(3).replace('-', '')];
        const text = bare
          .map((symbol, at) => (alike[at] ? (LIKE[symbol] ?? symbol) : symbol))
          .map((symbol, at) => `${lower[at] ? symbol.toLowerCase() : symbol}${gaps[at]}`)
          .join('');
        expect(normaliseCode(`${prefixed ? 'sV' : ''}${gaps[11]}${text}`)).toBe(meant);
      }),
    );
  });

  it('is unchanged if it is a code, and never becomes another code', () => {
    fc.assert(fc.property(code, (meant) => normaliseCode(meant) === meant));
  });

  it('is either a complete code or undefined for any text, without an error and quickly', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'SVsv-08OoIlL1Uu2Zzſıß '), maxLength: 14 }),
    );
    fc.assert(
      fc.property(text, (any) => {
        const read = normaliseCode(any);
        if (read !== undefined) {
          expect(read).toMatch(/^SV-[2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}$/);
          expect(any).toMatch(/^[\x20-\x7e\s]*$/);
        }
      }),
      { numRuns: 2_000 },
    );
    const before = process.cpuUsage();
    expect(normaliseCode('SV-'.repeat(20_000))).toBeUndefined();
    // Of CPU, because a busy machine takes any time. Backtracking would need seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  it.each([
    'SV-AAAA-AAA0',
    'SV-AAAA-AAA1',
    'SV-AAAA-AAAI',
    'SV-AAAA-AAAL',
    'SV-AAAA-AAAO',
    'SV-AAAA-AAAU',
    'SV-AAAA-AAA',
    'SV-AAAA-AAAAA',
    'XX-AAAA-AAAA',
    'SVSV-AAAA-AAAA',
    'ſV-AAAA-AAAA',
    'SV-AAAA-AAAſ',
    '',
  ])('%j is none', (text) => expect(normaliseCode(text)).toBeUndefined());
});
