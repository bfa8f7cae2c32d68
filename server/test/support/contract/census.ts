import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';
import { databaseKind } from '../database.js';

/** Tables that timers write, not requests. The column api_keys.last_used_at is excluded too. */
const COUNTERS = ['usage_months', 'recent_calls'];

/** Returns a function whose result changes when any row of any table is added, deleted or changed. */
export async function prepareCensus(db: RawDatabase): Promise<() => Promise<string>> {
  const tables = await db.query<{ name: string }>(sql`select table_name as name
    from information_schema.tables where table_schema = 'public' and table_name <> all(${COUNTERS}) order by 1`);
  // A table that is spread over several machines has no xmin.
  const writers = (name: string) =>
    name === 'api_keys' || databaseKind === 'citus'
      ? `sum(hashtext((to_jsonb(${name}) - 'last_used_at')::text)::bigint)`
      : 'sum(xmin::text::bigint)';
  const text = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*) as n, ${writers(name)}::text as written from ${name}`,
    )
    .join(' union all ');
  return async () => JSON.stringify(await db.query({ text: `${text} order by name`, values: [] }));
}
