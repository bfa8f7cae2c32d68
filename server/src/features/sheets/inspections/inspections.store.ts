import type { Database } from '../../../db/db.js';
import { join, type Sql, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../../ledger/write.js';

export interface InspectionRow {
  readonly id: string;
  readonly site_id: string;
  /** YYYY-MM. */
  readonly from_month: string;
  /** YYYY-MM, included. */
  readonly to_month: string;
  /** When the link stops working. Many wrong codes end it earlier. */
  readonly expires_at: Date;
  readonly opened_at: Date | null;
  readonly looks: number;
  /** Null: an API key. */
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

export interface NewInspection
  extends Pick<
    InspectionRow,
    'id' | 'site_id' | 'from_month' | 'to_month' | 'expires_at' | 'created_by' | 'created_at'
  > {
  readonly token_hash: string;
  readonly code_hash: string;
}

const COLUMNS = sql`id, site_id, from_month, to_month, expires_at, opened_at, looks, created_by, created_at, revoked_at`;

export async function insertInspection(w: Write, of: NewInspection): Promise<InspectionRow> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.mutate<InspectionRow>(sql.mutation`insert into attendance_inspections (tenant_id, environment, id, site_id, from_month,
      to_month, token_hash, code_hash, expires_at, created_by, created_at)
    values (${tenantId}, ${environment}, ${of.id}, ${of.site_id}, ${of.from_month}, ${of.to_month}, ${of.token_hash}, ${of.code_hash},
      ${of.expires_at}, ${of.created_by}, ${of.created_at})
    returning ${COLUMNS}`);
  return row as InspectionRow;
}

export async function findInspection(read: Read, id: string): Promise<InspectionRow | undefined> {
  const [row] = await read.query<InspectionRow>(
    sql.query`select ${COLUMNS} from attendance_inspections where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** At most `count` of these sites before an id, newest first. Null: of all sites. */
export function listInspections(
  read: Read,
  siteIds: readonly string[] | null,
  count: number,
  before: string | undefined,
): Promise<InspectionRow[]> {
  const conditions = [
    within(read.scope),
    ...(siteIds ? [sql`site_id = any(${siteIds}::uuid[])`] : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<InspectionRow>(sql.query`select ${COLUMNS} from attendance_inspections
    where ${join(conditions, ' and ')} order by id desc limit ${count}`);
}

/** Undefined if it was revoked before. */
export async function revokeInspection(w: Write, id: string, now: Date): Promise<InspectionRow | undefined> {
  const [row] =
    await w.mutate<InspectionRow>(sql.mutation`update attendance_inspections set revoked_at = ${now}
    where ${within(w.scope)} and id = ${id} and revoked_at is null returning ${COLUMNS}`);
  return row;
}

/** While this holds, the link and its sessions work. */
const isLive = ({ tenantId }: Scope, now: Date): Sql =>
  sql`revoked_at is null and expires_at > ${now} and exists (select 1 from tenants where id = ${tenantId} and status = 'active')`;

export interface Judged {
  readonly id: string;
  readonly site_id: string;
  readonly is_right: boolean;
  readonly wrong_codes: number;
}

/** How wrong codes are limited: so many lock the link for that long, and so many end it. */
export interface WrongCodes {
  readonly locksAfter: number;
  readonly lockedUntil: Date;
  readonly endsAfter: number;
}

/**
 * Judges a code and counts a wrong one, in one statement: of codes that are sent at the same time, on whatever node, each is counted. Undefined
 * if the link is unknown, has ended or is locked.
 */
export async function judgeCode(
  db: UnauditedWrite<'codes of inspections'>,
  scope: Scope,
  { tokenHash, codeHashes }: { readonly tokenHash: string; readonly codeHashes: readonly string[] },
  { locksAfter, lockedUntil, endsAfter }: WrongCodes,
  now: Date,
): Promise<Judged | undefined> {
  const isRight = sql`(code_hash = any(${codeHashes}))`;
  const [row] = await db.mutate<Judged>(sql.mutation`update attendance_inspections set
      wrong_codes = wrong_codes + case when ${isRight} then 0 else 1 end,
      locked_until = case when not ${isRight} and (wrong_codes + 1) % ${locksAfter} = 0 then ${lockedUntil}::timestamptz else locked_until end,
      expires_at = case when not ${isRight} and wrong_codes + 1 >= ${endsAfter} then ${now}::timestamptz else expires_at end
    where ${within(scope)} and token_hash = ${tokenHash} and ${isLive(scope, now)} and (locked_until is null or locked_until <= ${now})
    returning id, site_id, ${isRight} as is_right, wrong_codes`);
  return row;
}

/** Undefined if it has ended. */
export async function noteOpened(w: Write, id: string, now: Date): Promise<InspectionRow | undefined> {
  const [row] =
    await w.mutate<InspectionRow>(sql.mutation`update attendance_inspections set opened_at = coalesce(opened_at, ${now})
    where ${within(w.scope)} and id = ${id} and ${isLive(w.scope, now)} returning ${COLUMNS}`);
  return row;
}

/** Counts that somebody looks. False if the inspection has ended. */
export async function countLook(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update attendance_inspections set looks = looks + 1
    where ${within(w.scope)} and id = ${id} and ${isLive(w.scope, now)} returning 1 as done`);
  return rows.length > 0;
}

export interface LiveInspection extends InspectionRow {
  readonly company: string;
}

/** An inspection that has not ended, with the name of its account. */
export async function findLive(
  db: Pick<Database, 'query'>,
  { tenantId, environment }: Scope,
  id: string,
  now: Date,
): Promise<LiveInspection | undefined> {
  const [row] =
    await db.query<LiveInspection>(sql.query`select i.id, i.site_id, i.from_month, i.to_month, i.expires_at, i.opened_at, i.looks,
      i.created_by, i.created_at, i.revoked_at, a.company_name as company
    from attendance_inspections i join tenants a on a.id = ${tenantId} and a.status = 'active'
    where i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = ${id} and i.revoked_at is null and i.expires_at > ${now}`);
  return row;
}

/** Ends all that are open after a restore: one that was revoked since the backup is open in it. */
export async function endRestored(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  now: Date,
): Promise<void> {
  await w.mutate(sql.mutation`update attendance_inspections set revoked_at = ${now}
    where ${within(scope)} and revoked_at is null and expires_at > ${now}`);
}

/** Deletes the inspections of a site whose months are all before one. */
export async function deleteOldInspections(w: Write, siteId: string, month: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_inspections
    where ${within(w.scope)} and site_id = ${siteId} and to_month < ${month}`);
}
