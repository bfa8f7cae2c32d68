import { sql } from '../../db/sql.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, within } from '../../ledger/write.js';
import { BOUNDS_MS } from './histogram.js';
import type { HourCount } from './hour-counts.js';
import { waitForDisk } from './usage.store.js';

const BUCKETS = sql`ms_1, ms_2, ms_5, ms_10, ms_15, ms_20, ms_30, ms_50, ms_75, ms_100, ms_200, ms_500, ms_1000,
  ms_2000, ms_5000, ms_30000`;
const TYPES = sql`environment text, hour timestamptz, endpoint text, status integer, key_id uuid,
  ms_1 integer, ms_2 integer, ms_5 integer, ms_10 integer, ms_15 integer, ms_20 integer, ms_30 integer, ms_50 integer,
  ms_75 integer, ms_100 integer, ms_200 integer, ms_500 integer, ms_1000 integer, ms_2000 integer, ms_5000 integer,
  ms_30000 integer`;
const ADDED = sql`ms_1 = u.ms_1 + excluded.ms_1, ms_2 = u.ms_2 + excluded.ms_2, ms_5 = u.ms_5 + excluded.ms_5,
  ms_10 = u.ms_10 + excluded.ms_10, ms_15 = u.ms_15 + excluded.ms_15, ms_20 = u.ms_20 + excluded.ms_20,
  ms_30 = u.ms_30 + excluded.ms_30, ms_50 = u.ms_50 + excluded.ms_50, ms_75 = u.ms_75 + excluded.ms_75,
  ms_100 = u.ms_100 + excluded.ms_100, ms_200 = u.ms_200 + excluded.ms_200, ms_500 = u.ms_500 + excluded.ms_500,
  ms_1000 = u.ms_1000 + excluded.ms_1000, ms_2000 = u.ms_2000 + excluded.ms_2000,
  ms_5000 = u.ms_5000 + excluded.ms_5000, ms_30000 = u.ms_30000 + excluded.ms_30000`;
const TOTAL = sql`sum(ms_1 + ms_2 + ms_5 + ms_10 + ms_15 + ms_20 + ms_30 + ms_50 + ms_75 + ms_100 + ms_200 + ms_500
  + ms_1000 + ms_2000 + ms_5000 + ms_30000)`;
const SUMS = sql`json_build_array(sum(ms_1), sum(ms_2), sum(ms_5), sum(ms_10), sum(ms_15), sum(ms_20), sum(ms_30), sum(ms_50),
  sum(ms_75), sum(ms_100), sum(ms_200), sum(ms_500), sum(ms_1000), sum(ms_2000), sum(ms_5000), sum(ms_30000))`;

const toJson = (counts: readonly HourCount[]): string =>
  JSON.stringify(
    counts.map(({ tenantId: tenant_id, keyId: key_id, buckets, ...count }) => ({
      ...count,
      tenant_id,
      key_id,
      ...Object.fromEntries(BOUNDS_MS.map((bound, at) => [`ms_${bound}`, buckets[at]])),
    })),
  );

/** Adds to the hours of any tenants, in key order, so that nodes cannot deadlock. */
export async function addHours(w: UnauditedWrite<'usage'>, counts: readonly HourCount[]): Promise<void> {
  await w.mutate(sql.mutation`with this_commit as (${waitForDisk(w)})
    insert into usage_hours as u (tenant_id, environment, hour, endpoint, status, key_id, ${BUCKETS})
    select tenant_id, environment, hour, endpoint, status, key_id, ${BUCKETS}
    from jsonb_to_recordset(${toJson(counts)}::jsonb) as c (tenant_id uuid, ${TYPES}), this_commit
    order by tenant_id, environment, hour, endpoint, status, key_id
    on conflict (tenant_id, environment, hour, endpoint, status, key_id) do update set ${ADDED}`);
}

/** Adds to the hours of one tenant, on its machine. */
export async function addTenantHours(
  w: UnauditedWrite<'usage'>,
  tenantId: string,
  counts: readonly HourCount[],
): Promise<void> {
  await w.mutate(sql.mutation`insert into usage_hours as u
      (tenant_id, environment, hour, endpoint, status, key_id, ${BUCKETS})
    select ${tenantId}::uuid, environment, hour, endpoint, status, key_id, ${BUCKETS}
    from jsonb_to_recordset(${toJson(counts)}::jsonb) as c (${TYPES})
    order by environment, hour, endpoint, status, key_id
    on conflict (tenant_id, environment, hour, endpoint, status, key_id) do update set ${ADDED}`);
}

const GROUPS = { endpoint: sql`endpoint`, status: sql`status::text`, key: sql`key_id::text` } as const;

export interface SeriesQuery {
  readonly by: keyof typeof GROUPS;
  readonly step: 'hour' | 'day';
  /** The start of a step. */
  readonly from: Date;
  /** The end of a step. */
  readonly to: Date;
  /** Only the groups with the most calls. */
  readonly maxGroups: number;
}

export interface SeriesRow {
  at: Date;
  name: string;
  buckets: number[];
}

/** The steps that have calls, oldest first. */
export function listSeries(read: Read, { by, step, from, to, maxGroups }: SeriesQuery): Promise<SeriesRow[]> {
  const name = GROUPS[by];
  const chosen = sql`${within(read.scope)} and hour >= ${from} and hour < ${to}`;
  return read.query<SeriesRow>(sql.query`select date_trunc(${step}, hour, 'UTC') as at, ${name} as name, ${SUMS} as buckets
    from usage_hours where ${chosen} and ${name} in (
      select ${name} from usage_hours where ${chosen} group by 1 order by ${TOTAL} desc, 1 limit ${maxGroups})
    group by 1, 2 order by 1, 2`);
}
