import { join, type Query, type Sql, sql } from './sql.js';

/** A column of few values, and the values to look for. */
export interface Choice {
  readonly column: Sql;
  readonly values: readonly string[];
}

export interface NewestRows {
  readonly columns: Sql;
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** At least one; together with the conditions they name an index up to its order. */
  readonly choices: readonly [Choice, Choice?];
  /** The order of the index to read, newest first. */
  readonly order: Sql;
  readonly count: number;
}

/**
 * Hides the value from the planner, so that it chooses an index for an average value, and not because this one was in every row,
 * or in none, at the last ANALYZE.
 */
export const opaque = (value: Sql): Sql => sql`(select ${value})`;

/**
 * The first rows of an index, for every combination of the choices' values, merged. Each combination is a range of the index
 * that is read in order and at most once a page, so the work depends on the page and never on how many rows there are.
 */
export function newest({ columns, table, conditions, choices, order, count }: NewestRows): Query {
  const [first, second] = choices;
  const kinds = first.values.flatMap((a) => (second?.values ?? [null]).map((b) => [a, b] as const));
  const isKind = [sql`${first.column} = kind.a`, ...(second ? [sql`${second.column} = kind.b`] : [])];
  const where = join([...conditions, ...isKind], ' and ');
  // A literal: with a bound parameter as the limit, the planner assumes a tenth of all rows.
  const atMost = count <= 51 ? sql`limit 51` : sql`limit 101`;
  return sql.query`select page.* from unnest(${kinds.map(([a]) => a)}::text[], ${kinds.map(([, b]) => b)}::text[]) as kind (a, b),
    lateral (select ${columns} from ${table} where ${where} order by ${order} ${atMost}) as page
    order by ${order} limit ${count}`;
}
