import type { SheetOptions } from '@svc/zk/time/sheet';
import { sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';

/** A person's sheet in a closing: the salt and the hash of its leaf, and the hash of the sheet alone, by which versions are compared. */
export interface Leaf {
  readonly userId: string;
  readonly salt: string;
  readonly sha256: string;
}

export interface ClosingRow {
  readonly site_id: string;
  readonly month: string;
  readonly version: number;
  readonly root: string;
  readonly sheets: number;
  readonly time_zone: string;
  readonly rules: SheetOptions['rules'];
  readonly rules_version: number;
  readonly last_seq: number;
  readonly leaves: readonly Leaf[];
  readonly closed_by: string | null;
  readonly closed_at: Date;
}

const COLUMNS = sql`site_id, month, version, root, sheets, time_zone, rules, rules_version, last_seq, leaves, closed_by, closed_at`;

/** Of concurrent closings, one gets the version. */
export async function insertClosing(w: Write, of: ClosingRow): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into attendance_closings (tenant_id, environment, ${COLUMNS})
    values (${tenantId}, ${environment}, ${of.site_id}, ${of.month}, ${of.version}, ${of.root}, ${of.sheets}, ${of.time_zone},
      ${of.rules}, ${of.rules_version}, ${of.last_seq}, ${JSON.stringify(of.leaves)}::json, ${of.closed_by}, ${of.closed_at})
    on conflict do nothing returning 1 as done`);
  return rows.length > 0;
}

/** Deletes the closings of months before one. */
export async function deleteOldClosings(w: Write, siteId: string, month: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_closings
    where ${within(w.scope)} and site_id = ${siteId} and month < ${month}`);
}

/** The closings of a month, newest first. */
export const listClosings = (read: Read, siteId: string, month: string): Promise<ClosingRow[]> =>
  read.query<ClosingRow>(sql.query`select ${COLUMNS} from attendance_closings
    where ${within(read.scope)} and site_id = ${siteId} and month = ${month} order by version desc`);

/** The last closing of a month, without its leaves. */
export async function findClosing(
  read: Read,
  siteId: string,
  month: string,
): Promise<Pick<ClosingRow, 'time_zone' | 'rules'> | undefined> {
  const [row] = await read.query<
    Pick<ClosingRow, 'time_zone' | 'rules'>
  >(sql.query`select time_zone, rules from attendance_closings
    where ${within(read.scope)} and site_id = ${siteId} and month = ${month} order by version desc limit 1`);
  return row;
}

/** What the sheets of a month are made of, as one text that differs after any change. */
export async function stateOfMonth(
  read: Read,
  siteId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<string> {
  const [row] = await read.query<{
    state: string;
  }>(sql.query`select concat_ws(' ', count(*), max(id::text), count(voided_by)) as state
    from attendance where ${within(read.scope)} and site_id = ${siteId} and occurred_at >= ${from} and occurred_at < ${to}`);
  return row?.state ?? '';
}
