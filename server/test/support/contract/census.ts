import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';
import { databaseKind } from '../database.js';

/** Tables that timers write, not requests. The columns last_used_at and last_used_network of api_keys are excluded too. */
const COUNTERS = ['usage_hours', 'usage_months', 'recent_calls', 'rejected_calls'];

/** What changes when any row of a table is added, deleted or changed, by table. */
export type Census = readonly object[];

export async function prepareCensus(db: RawDatabase): Promise<() => Promise<Census>> {
  const tables = await db.query<{ name: string }>(sql`select table_name as name
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${COUNTERS}) order by 1`);
  // A table that is spread over several machines has no xmin.
  const writers = (name: string) =>
    name === 'api_keys' || databaseKind === 'citus'
      ? `sum(hashtext((to_jsonb(${name}) - 'last_used_at' - 'last_used_network')::text)::bigint)`
      : 'sum(xmin::text::bigint)';
  const text = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*) as n, ${writers(name)}::text as written from ${name}`,
    )
    .join(' union all ');
  return () => db.query({ text: `${text} order by name`, values: [] });
}
