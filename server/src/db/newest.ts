import { join, type Query, type Sql, sql } from './sql.js';

/** A column with few distinct values, and the values to find. */
export interface Choice {
  readonly column: Sql;
  readonly values: readonly string[];
}

export interface NewestRows {
  readonly columns: Sql;
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** At least one. Together with the conditions they are the columns of an index before those of its order. */
  readonly choices: readonly [Choice, Choice?];
  /** The order of the index to read, newest first. */
  readonly order: Sql;
  readonly count: number;
}

/**
 * Hides the value from the planner. It then plans for an average value, even if at the last ANALYZE every row or no row
 * had this one.
 */
export const opaque = (value: Sql): Sql => sql`(select ${value})`;

/**
 * The first rows of an index, merged over all combinations of the choices' values. Each combination is a range of the
 * index, read in order and at most once a page, so the cost depends on the page size and never on the number of rows.
 */
export function newest({ columns, table, conditions, choices, order, count }: NewestRows): Query {
  const [first, second] = choices;
  const kinds = first.values.flatMap((a) => (second?.values ?? [null]).map((b) => [a, b] as const));
  const isKind = [sql`${first.column} = kind.a`, ...(second ? [sql`${second.column} = kind.b`] : [])];
  const where = join([...conditions, ...isKind], ' and ');
  // A literal, because with a parameter as the limit the planner assumes a tenth of all rows.
  const atMost = count <= 51 ? sql`limit 51` : sql`limit 101`;
  return sql.query`select page.* from unnest(${kinds.map(([a]) => a)}::text[], ${kinds.map(([, b]) => b)}::text[]) as kind (a, b),
    lateral (select ${columns} from ${table} where ${where} order by ${order} ${atMost}) as page
    order by ${order} limit ${count}`;
}
