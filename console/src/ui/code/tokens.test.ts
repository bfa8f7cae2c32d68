import fc from 'fast-check';
import { expect, it } from 'vitest';
import { REQUESTS } from '../../../test/support/requests';
import { snippets } from '../../snippets/snippets';
import { type CodeLanguage, tokensOf } from './tokens';

const textOf = (code: string, language: CodeLanguage): string =>
  tokensOf(code, language)
    .map(({ text }) => text)
    .join('');

it('colours code without changing it', () => {
  for (const request of REQUESTS)
    for (const [language, code] of Object.entries(snippets(request)))
      expect(textOf(code, language as CodeLanguage)).toBe(code);
  fc.assert(
    fc.property(fc.json(), fc.string(), (json, text) => {
      expect(textOf(json, 'json')).toBe(json);
      expect(textOf(text, 'go')).toBe(text);
    }),
  );
});

it('tells names, strings and literals of JSON apart', () => {
  const kinds = tokensOf('{"a\\": ": "x: 1", "b": [true, -1.5e3]}', 'json').filter(({ kind }) => kind);
  expect(kinds).toEqual([
    { text: '"a\\": "', kind: 'name' },
    { text: '"x: 1"', kind: 'string' },
    { text: '"b"', kind: 'name' },
    { text: 'true', kind: 'keyword' },
    { text: '-1.5e3', kind: 'number' },
  ]);
});

it('reads long and unfinished strings in linear time', () => {
  const started = performance.now();
  tokensOf(`"${'\\\\ "a'.repeat(10_000)}`, 'json');
  expect(performance.now() - started).toBeLessThan(1_000);
});
