import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Classed, COLUMNS, personalColumns } from './columns.js';
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
  it('name every column of every table once, so that a new one must be decided [erasure/class-of-a-column]', () => {
    expect(Object.keys(COLUMNS).sort()).toEqual(Object.keys(TABLES).sort());
    for (const [table, { plain }] of Object.entries<Classed>(COLUMNS)) {
      const named = [...plain.split(' '), ...personalColumns(table).map(([column]) => column)];
      expect(named.toSorted(), table).toEqual(schema.get(table)?.toSorted());
    }
  });
});
