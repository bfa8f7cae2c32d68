import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';
import { databaseKind } from '../database.js';

/** Columns that say when a credential was used. */
const USES: Readonly<Record<string, string>> = {
  api_keys: `- 'last_used_at' - 'last_used_network'`,
  staff_sessions: `- 'used_at'`,
};
/** Tables that timers write, not requests. */
const COUNTERS = ['usage_hours', 'usage_months', 'recent_calls', 'rejected_calls'];

/** What changes when any row of a table is added, deleted or changed, by table. */
export type Census = readonly object[];

export async function prepareCensus(db: RawDatabase): Promise<() => Promise<Census>> {
  const tables = await db.query<{ name: string }>(sql`select table_name as name
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${COUNTERS}) order by 1`);
  // A table that is spread over several machines has no xmin.
  const writers = (name: string) =>
    USES[name] !== undefined || databaseKind === 'citus'
      ? `sum(hashtext((to_jsonb(${name}) ${USES[name] ?? ''})::text)::bigint)`
      : 'sum(xmin::text::bigint)';
  const text = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*) as n, ${writers(name)}::text as written from ${name}`,
    )
    .join(' union all ');
  return () => db.query({ text: `${text} order by name`, values: [] });
}
