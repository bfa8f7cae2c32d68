import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/cross-device.md'), 'utf8');
const rows = [...page.matchAll(/^\| 6\.1\.(\d+) \|.*\| `([\w./-]+)`: (.+) \|$/gm)];

it('the page about RFC 10027 has a row for each of its seventeen mitigations', () => {
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
});

it.each(rows.map(([, number, file, name]) => [number, file, name] as [string, string, string]))(
  'the row of 6.1.%s names a test that exists',
  (_, file, name) => {
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(/\bit\(\s*'([^']*)'/g)];
    expect(titles.map(([, title = '']) => title.replace(/( \[[^\]]+\])+$/, ''))).toContain(name);
  },
);
