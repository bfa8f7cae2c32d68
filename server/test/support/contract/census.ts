import type { RawDatabase } from '../../../src/db/db.js';
import { sql } from '../../../src/db/sql.js';

/** Noted by the clock and not by a request: what counts calls, and when a key was last used. */
const COUNTERS = ['usage_months', 'recent_calls'];

/** Answers what tells whether any row of any table came, went or changed: how many each has, and who wrote them. */
export async function prepareCensus(db: RawDatabase): Promise<() => Promise<string>> {
  const tables = await db.query<{ name: string }>(sql`select table_name as name
    from information_schema.tables where table_schema = 'public' and table_name <> all(${COUNTERS}) order by 1`);
  const writers = (name: string) =>
    name === 'api_keys'
      ? `sum(hashtext((to_jsonb(api_keys) - 'last_used_at')::text)::bigint)`
      : 'sum(xmin::text::bigint)';
  const text = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*) as n, ${writers(name)}::text as written from ${name}`,
    )
    .join(' union all ');
  return async () => JSON.stringify(await db.query({ text: `${text} order by name`, values: [] }));
}
