import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Classed, COLUMNS, FATES, personalColumns } from './columns.js';
import { TABLES } from './tables.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The columns of each table, from the schema that the migrations make. */
const schema = new Map(
  [...read('contract/schema.sql').matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);/gm)].map(
    ([, table, body]) => [
      table as string,
      (body as string)
        .split('\n')
        .map((line) => line.trim().split(' ')[0] as string)
        .filter((name) => name !== 'constraint'),
    ],
  ),
);

describe('the classes of columns', () => {
  it('name every column of every table once, so that a new one must be decided [D12.120]', () => {
    expect(Object.keys(COLUMNS).sort()).toEqual(Object.keys(TABLES).sort());
    for (const [table, { plain }] of Object.entries<Classed>(COLUMNS)) {
      const named = [...plain.split(' '), ...personalColumns(table).map(([column]) => column)];
      expect(named.toSorted(), table).toEqual(schema.get(table)?.toSorted());
    }
  });

  it('are what docs/privacy.md says, a line a column [D12.120]', () => {
    const lines = Object.keys(COLUMNS).flatMap((table) =>
      personalColumns(table).map(([column, fate]) => `| \`${table}.${column}\` | ${FATES[fate]} |`),
    );
    const doc = read('docs/privacy.md').split('\n');
    expect(
      doc.filter((line) => /^\| `\w+\.\w+` \|/.test(line)).map((line) => line.replace(/ \| [^|]+ \|$/, '')),
    ).toHaveLength(lines.length);
    expect(lines.filter((line) => !doc.includes(line))).toEqual([]);
  });
});
