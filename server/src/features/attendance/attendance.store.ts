import type { Static } from 'typebox';
import { isUuid } from '../../base/crypto/random.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import { SEAL_COLUMNS } from '../../ledger/record-seal.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { type NewRow, type Row, record } from '../../records/columns.js';
import { countRows, firstRows, opaque } from '../../records/first-rows.js';
import { countOldRowsThat, type DeletedRows, firstOld, type OldRows } from '../../records/old-rows.js';
import { removeText } from '../../records/seals/removing-text.js';
import { eventRows } from '../verifications/verifications.js';
import { attendanceColumns, EVENT_TYPES, type ListAttendanceQuery, RESULTS } from './attendance.schema.js';

export const attendance = record(attendanceColumns);
const COLUMNS = attendance.list;
/** Attendance with what its seals are made of. */
export const sealedAttendance = {
  kind: 'attendance',
  table: sql`attendance`,
  of: attendance,
  sealedAt: sql`created_at`,
  textHash: sql`text_hash`,
} as const;
export type AttendanceRow = Row<typeof attendanceColumns>;
type AttendanceResult = AttendanceRow['result'];

/** Default: the result of the verification, or `accepted` without one. */
type NewAttendance = Omit<NewRow<typeof attendanceColumns>, 'result' | 'site_id'> & {
  result?: AttendanceResult;
};

/** Which of the records that an event refers to exist. Each is true if the event refers to none. */
export interface Known {
  readonly user_known: boolean;
  readonly device_known: boolean;
  readonly verification_known: boolean;
  /** Also false for a verification of another user. */
  readonly verification_theirs: boolean;
  /** Of the site of the person or else of the device. */
  readonly time_zone: string | null;
}

/**
 * Inserts the event if everything that it refers to is of this tenant and environment. Returns what is not.
 * The verification is read by aggregates, which return a row also without one: on PostgreSQL 15, Citus rejects an outer join
 * of a row that is always there.
 */
export async function insertAttendance(w: Write, event: NewAttendance) {
  const { tenantId } = w.scope;
  const { user_id: userId, device_id: deviceId = null, verification_id: verificationId = null } = event;
  const named = sql.query`select
    exists (select 1 from tenant_users where ${within(w.scope)} and id = ${userId} and erased_at is null) as user_known,
    ${deviceId}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId}) as device_known,
    ${verificationId}::uuid is null or v.count > 0 as verification_known,
    coalesce(v.is_theirs, true) as verification_theirs, v.result as verification_result, s.site_id, s.time_zone
    from (select count(*), bool_and(user_id is null or user_id = ${userId}) as is_theirs, min(result) as result
      from verifications where ${within(w.scope)} and id = ${verificationId}::uuid) as v,
      (select min(t.id::text)::uuid as site_id, min(t.time_zone) as time_zone from sites t where ${within(w.scope, 't')}
        and t.id::text = coalesce((select site_id::text from tenant_users where ${within(w.scope)} and id = ${userId}),
          (select lower(location_id) from devices where ${within(w.scope)} and id = ${deviceId}::uuid))) as s`;
  const result = sql`coalesce(${event.result ?? null},
    case when verification_result <> 'pass' then 'rejected' else 'accepted' end)`;
  const seal = w.seal('attendance');
  const known = w.query<Known>(named);
  const inserted =
    w.mutate<AttendanceRow>(sql.mutation`insert into attendance (tenant_id, ${COLUMNS}, ${SEAL_COLUMNS})
    select ${tenantId}::uuid, ${attendance.values({ ...event, result, site_id: sql`site_id` })}, ${seal.values}
    from (${named}) as named where user_known and device_known and verification_known and verification_theirs
    returning ${COLUMNS}`);
  const [[flags], [row]] = await Promise.all([known, inserted]);
  if (row) seal.place(attendance.serialize(row));
  return { row, known: flags as Known };
}

/** Inserts an event whose references the write has checked. */
export async function insertProved(
  w: Write,
  event: NewRow<typeof attendanceColumns>,
): Promise<AttendanceRow> {
  const row = attendance.row(event);
  const seal = w.seal('attendance');
  await w.mutate(sql.mutation`insert into attendance (tenant_id, ${COLUMNS}, ${SEAL_COLUMNS})
    values (${w.scope.tenantId}, ${attendance.values(row)}, ${seal.values})`);
  seal.place(attendance.serialize(row));
  return row;
}

/** Voids events of a person by a correction. Returns those that it voided: one that another correction replaced is not voided again. */
export function voidEvents(
  w: Write,
  ids: readonly string[],
  { id, user_id: userId }: { readonly id: string; readonly user_id: string },
): Promise<Voided[]> {
  return w.mutate<Voided>(sql.mutation`update attendance set voided_by = ${id}
    where ${within(w.scope)} and id = any(${[...ids].sort()}::uuid[]) and user_id = ${userId} and voided_by is null
    returning id, site_id, occurred_at`);
}

type Voided = Pick<AttendanceRow, 'id' | 'site_id' | 'occurred_at'>;

/** The last event that a person declared at a device since a moment. */
export async function findLatestDeclared(
  read: Read,
  { userId, deviceId, since }: { readonly userId: string; readonly deviceId: string; readonly since: Date },
): Promise<AttendanceRow | undefined> {
  const [row] =
    await read.query<AttendanceRow>(sql.query`select ${COLUMNS} from attendance where ${within(read.scope)}
    and user_id = ${userId} and device_id = ${deviceId} and occurred_at >= ${since} and evidence = 'declared'
    order by occurred_at desc, id desc limit 1`);
  return row;
}

/** Those of these events that there are. */
export const listByIds = (read: Read, ids: readonly string[]): Promise<AttendanceRow[]> =>
  read.query<AttendanceRow>(
    sql.query`select ${COLUMNS} from attendance where ${within(read.scope)} and id = any(${[...ids]}::uuid[])`,
  );

/** Undefined if there is no such event, or it was contested before. */
export async function contest(w: Write, id: string, now: Date): Promise<AttendanceRow | undefined> {
  const [row] = await w.mutate<AttendanceRow>(sql.mutation`update attendance set contested_at = ${now}
    where ${within(w.scope)} and id = ${id} and contested_at is null returning ${COLUMNS}`);
  return row;
}

/** The events of a person that occurred in a time, oldest first: a condition with its order. */
export const ownOfMonth = (userId: string, { from, to }: { readonly from: Date; readonly to: Date }): Sql =>
  sql`user_id = ${userId} and occurred_at >= ${from} and occurred_at < ${to} order by occurred_at, id limit 1000`;

/** Events of a site that occurred in a time, some after one, in the order of their ids: a condition with its order. */
export const eventsOfSite = ({
  siteId,
  range: { from, to },
  userId,
  after,
  count,
}: {
  readonly siteId: string;
  readonly range: { readonly from: Date; readonly to: Date };
  readonly userId: string | undefined;
  readonly after: string;
  readonly count: number;
}): Sql =>
  sql`site_id = ${siteId} and occurred_at >= ${from} and occurred_at < ${to} and id > ${after}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`} order by id limit ${count}`;

/** The corrections by which events of a site were made or voided. */
export async function correctionsOfEvents(
  read: Read,
  siteId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<string[]> {
  const rows = await read.query<{ id: string }>(sql.query`select distinct c.id from attendance t,
      unnest(array[t.correction_id, t.voided_by]) as c (id)
    where ${within(read.scope, 't')} and t.site_id = ${siteId} and t.occurred_at >= ${from} and t.occurred_at < ${to}
      and c.id is not null`);
  return rows.map(({ id }) => id);
}

export async function findAttendance(read: Read, id: string): Promise<AttendanceRow | undefined> {
  const [row] = await read.query<AttendanceRow>(
    sql.query`select ${COLUMNS} from attendance where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export type SearchQuery = Static<typeof ListAttendanceQuery>;

const eventsOf = (query: SearchQuery) => ({
  table: sql`attendance`,
  choices: [
    { column: sql`type`, values: query.type ? [query.type] : EVENT_TYPES },
    { column: sql`result`, values: query.result ? [query.result] : RESULTS },
  ] as const,
  isChosen: query.type !== undefined || query.result !== undefined,
});

/** The whole id is this one. */
const isFound = (q: string): Sql => (isUuid(q) ? sql`id = ${q}::uuid` : sql`false`);

const ownOf = ({ siteId, voided }: SearchQuery): Sql[] => [
  ...(siteId ? [sql`site_id = ${opaque(sql`${siteId}::uuid`)}`] : []),
  ...(voided === undefined ? [] : [voided === 'true' ? sql`voided_by is not null` : sql`voided_by is null`]),
];

const searched = (read: Read, query: SearchQuery, after: string | undefined) =>
  eventRows(
    read.scope,
    { ...eventsOf(query), search: query.q === undefined ? undefined : isFound(query.q), own: ownOf(query) },
    query,
    after,
  );

/** A page of the list. */
export const selectAttendance = (
  read: Read,
  query: SearchQuery,
  count: number,
  after: string | undefined,
): Query => firstRows(COLUMNS, searched(read, query, after), count);

export async function countAttendance(read: Read, query: SearchQuery): Promise<number> {
  const [row] = await read.query<{ count: number }>(countRows(searched(read, query, undefined)));
  return row?.count ?? 0;
}

/** Removes what events say of an erased person in free text, but for working time, which goes by its own retention. @returns how many had some */
export function stripAttendance(w: Write, userId: string): Promise<number> {
  return removeText(w, {
    ...{ kind: 'attendance', table: sql`attendance`, of: attendance },
    found: sql`user_id = ${userId} and site_id is null and metadata is not null`,
    clear: (
      removed,
    ) => sql.mutation`update attendance t set metadata = null, text_salt = null, text_hash = removed.hash
      from ${removed} where ${within(w.scope, 't')} and t.id = removed.id`,
  });
}

/** Deletes the first of the old events. */
export async function deleteOld(w: Write, old: OldRows): Promise<DeletedRows> {
  const [row] = await w.mutate<DeletedRows>(sql.mutation`with deleted as (
      delete from attendance where ${within(w.scope)} and id = any (${firstOld(w.scope, sql`attendance`, old, NO_HOURS)}) returning id)
    select count(*) as count, max(id::text) as last from deleted`);
  return row as DeletedRows;
}

/** Working time is kept for as long as its site says, whatever the retention time of the account is. */
const NO_HOURS = sql`(site_id is null) = ${opaque(sql`true`)}`;

/** Deletes the first of the old events of a site. Returns their ids. */
export async function deleteHours(w: Write, siteId: string, old: OldRows): Promise<string[]> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`delete from attendance where ${within(w.scope)}
    and id = any (${firstOld(w.scope, sql`attendance`, old, sql`site_id = ${siteId} and occurred_at < ${old.before}`)}) returning id`);
  return rows.map(({ id }) => id).sort();
}

export async function countHours(read: Read, siteId: string, before: Date, limit: number): Promise<number> {
  const isOld = sql`site_id = ${siteId} and occurred_at < ${before}`;
  const [row] = await read.query<{ count: number }>(
    countOldRowsThat(read.scope, sql`attendance`, before, limit, isOld),
  );
  return row?.count ?? 0;
}

/** The site of a person's last event that counts, at a moment. Undefined if there is none, or it has no site. */
export async function lastSiteOf(read: Read, userId: string, at: Date): Promise<string | undefined> {
  const [row] = await read.query<{ site_id: string | null }>(sql.query`select site_id from attendance
    where ${within(read.scope)} and user_id = ${userId} and occurred_at <= ${at} and result = 'accepted' and voided_by is null
    order by occurred_at desc, id desc limit 1`);
  return row?.site_id ?? undefined;
}

/** The last event of a person at a site. */
export async function lastHours(
  read: Read,
  userId: string,
): Promise<{ site_id: string; at: Date } | undefined> {
  const [row] = await read.query<{
    site_id: string;
    at: Date;
  }>(sql.query`select site_id, occurred_at as at from attendance
    where ${within(read.scope)} and user_id = ${userId} and site_id is not null order by occurred_at desc, id desc limit 1`);
  return row;
}

export async function countOld(read: Read, before: Date, limit: number): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    countOldRowsThat(read.scope, sql`attendance`, before, limit, NO_HOURS),
  );
  return row?.count ?? 0;
}
