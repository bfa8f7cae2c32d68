import { join, type Query, type Sql, sql } from '../db/sql.js';

/** A column with few distinct values, and the values to find. */
export interface Choice {
  readonly column: Sql;
  readonly values: readonly string[];
}

/** The rows of a filtered list. */
export interface FilteredRows {
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /**
   * Together with the conditions they are the columns of an index before those of its order. Absent if the conditions are all of
   * these columns.
   */
  readonly choices?: readonly [Choice, Choice?];
  /** The order of the index to read, in either direction. */
  readonly order: Sql;
}

/**
 * Hides the value from the planner. It then plans for an average value, even if at the last ANALYZE every row or no row
 * had this one.
 */
export const opaque = (value: Sql): Sql => sql`(select ${value})`;

/** Every combination of the choices' values as the rows of `kind`, and the conditions that compare them. */
function kindsOf([first, second]: readonly [Choice, Choice?]) {
  const kinds = first.values.flatMap((a) => (second?.values ?? [null]).map((b) => [a, b] as const));
  return {
    from: sql`unnest(${kinds.map(([a]) => a)}::text[], ${kinds.map(([, b]) => b)}::text[]) as kind (a, b)`,
    isKind: [sql`${first.column} = kind.a`, ...(second ? [sql`${second.column} = kind.b`] : [])],
  };
}

/**
 * The first rows of an index, merged over all combinations of the choices' values. Each combination is a range of the
 * index, read in order and at most once a page, so the cost depends on the page size and never on the number of rows.
 */
export function firstRows(
  columns: Sql,
  { table, conditions, choices, order }: FilteredRows,
  count: number,
): Query {
  if (choices === undefined)
    return sql.query`select ${columns} from ${table} where ${join(conditions, ' and ')} order by ${order} limit ${count}`;
  const { from, isKind } = kindsOf(choices);
  const where = join([...conditions, ...isKind], ' and ');
  return sql.query`select page.* from ${from},
    lateral (select ${columns} from ${table} where ${where} order by ${order} ${limitOf(count)}) as page
    order by ${order} limit ${count}`;
}

/** A literal, because with a parameter as the limit the planner assumes a tenth of all rows. */
function limitOf(count: number): Sql {
  if (count <= 51) return sql`limit 51`;
  return count <= 101 ? sql`limit 101` : sql`limit 501`;
}

/** Rows that `countRows` reads at most. */
export const COUNT_LIMIT = 10_001;

/** The number of rows, at most `COUNT_LIMIT`. Reads the index that `firstRows` reads, and no row beyond that number. */
export function countRows({ table, conditions, choices, order }: FilteredRows): Query {
  const of = (more: readonly Sql[]) =>
    sql`select 1 from ${table} where ${join([...conditions, ...more], ' and ')} order by ${order} limit 10001`;
  if (choices === undefined) return sql.query`select count(*) as count from (${of([])}) as found`;
  const { from, isKind } = kindsOf(choices);
  return sql.query`select count(*) as count
    from (select 1 from ${from}, lateral (${of(isKind)}) as page limit 10001) as found`;
}
