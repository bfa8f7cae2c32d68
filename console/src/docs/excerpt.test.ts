import { describe, expect, it } from 'vitest';
import { excerptOf, markedPieces } from './excerpt.js';

const written = (pieces: ReturnType<typeof excerptOf>) =>
  pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');
const long = `${'before '.repeat(30)}a nonce is spent ${'after '.repeat(30)}`.trim();

describe('an excerpt of a search result', () => {
  it('stands around the first match, cut at words, with the match marked', () => {
    const text = written(excerptOf(long, ['nonce']));
    expect(text).toMatch(/^… (before )+a \[nonce\] is spent (after )+…$/);
    expect(text.length).toBeLessThan(140);
  });

  it('is the beginning if nothing in it matches, and the whole of a short text', () => {
    expect(written(excerptOf(long, ['elsewhere']))).toMatch(/^before .+ …$/);
    expect(written(excerptOf('A nonce.', ['nonce']))).toBe('A [nonce].');
    expect(written(excerptOf('', ['nonce']))).toBe('');
    expect(written(excerptOf('A nonce.', []))).toBe('A nonce.');
  });

  it('shows a match at the end of a text without spaces', () => {
    expect(written(excerptOf(`${'x'.repeat(300)}-nonce`, ['nonce']))).toContain('[nonce]');
  });

  it('marks words from their beginning in any case, the longest term first, and takes terms literally', () => {
    expect(written(markedPieces('Pairing, repairing, pair', ['pair', 'pairing']))).toBe(
      '[Pairing], repairing, [pair]',
    );
    expect(written(markedPieces('a+b (c)', ['a+b', '(c)']))).toBe('[a+b] [(c)]');
    expect(written(markedPieces('Über uns', ['über']))).toBe('[Über] uns');
  });
});
