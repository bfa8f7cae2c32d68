import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { type Changes, type NewRow, type Row, record } from '../../records/columns.js';
import { siteColumns } from './sites.schema.js';

export const sites = record(siteColumns);
const COLUMNS = sites.list;
export type SiteRow = Row<typeof siteColumns>;

export async function insertSite(w: Write, site: NewRow<typeof siteColumns>): Promise<SiteRow> {
  const [row] = await w.mutate<SiteRow>(sql.mutation`insert into sites (tenant_id, ${COLUMNS})
    values (${w.scope.tenantId}, ${sites.values(site)}) returning ${COLUMNS}`);
  return row as SiteRow;
}

/** Undefined if there is no such site. */
export async function updateSite(
  w: Write,
  id: string,
  changes: Changes<typeof siteColumns>,
  now: Date,
): Promise<SiteRow | undefined> {
  const [row] =
    await w.mutate<SiteRow>(sql.mutation`update sites set ${sites.assignments(changes)}, updated_at = ${now}
    where ${within(w.scope)} and id = ${id} returning ${COLUMNS}`);
  return row;
}

export async function findSite(read: Read, id: string): Promise<SiteRow | undefined> {
  const [row] = await read.query<SiteRow>(
    sql.query`select ${COLUMNS} from sites where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** Sites of any account that keeps its records up, in the order of their ids. */
export const listKept = (
  db: Database,
  after: string,
  limit: number,
): Promise<(Pick<SiteRow, 'id' | 'time_zone' | 'retention_months'> & Scope)[]> =>
  db.query<
    Pick<SiteRow, 'id' | 'time_zone' | 'retention_months'> & Scope
  >(sql.query`select t.id, t.time_zone, t.retention_months,
      t.tenant_id as "tenantId", t.environment
    from sites t join tenants a on a.id = t.tenant_id and a.status in ('active', 'suspended', 'deactivated')
    where t.id > ${after} order by t.id limit ${limit}`);

export async function countSites(read: Read): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    sql.query`select count(*)::integer as count from sites where ${within(read.scope)}`,
  );
  return row?.count ?? 0;
}

export async function hasSites(read: Read): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 as found from sites where ${within(read.scope)} limit 1`);
  return rows.length > 0;
}

/** At most `count` before an id, newest first. */
export const listSites = (read: Read, count: number, before: string | undefined): Promise<SiteRow[]> =>
  read.query<SiteRow>(sql.query`select ${COLUMNS} from sites
    where ${within(read.scope)} and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
    order by id desc limit ${count}`);

/** The site that a device names as its location. */
export async function findSiteOfDevice(read: Read, deviceId: string): Promise<SiteRow | undefined> {
  const [row] = await read.query<SiteRow>(sql.query`select ${COLUMNS} from sites
    where ${within(read.scope)} and id::text = (select lower(location_id) from devices where ${within(read.scope)} and id = ${deviceId})`);
  return row;
}
