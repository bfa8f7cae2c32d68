import { sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';

export interface MarkRow {
  readonly id: string;
  readonly user_id: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly code: string;
  readonly source: string;
  readonly created_at: Date;
}

const COLUMNS = sql`id, user_id, date, code, source, created_at`;

/** Undefined if there is no such person. A mark with the same code on that day is the same mark. */
export async function putMark(
  w: Write,
  of: Omit<MarkRow, 'created_at'>,
  now: Date,
): Promise<MarkRow | undefined> {
  const { tenantId, environment } = w.scope;
  const [row] =
    await w.mutate<MarkRow>(sql.mutation`insert into attendance_marks as t (tenant_id, environment, id, user_id, date, code,
      source, created_at)
    select ${tenantId}::uuid, ${environment}, ${of.id}::uuid, u.id, ${of.date}, ${of.code}, ${of.source}, ${now}::timestamptz
    from tenant_users u where u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = ${of.user_id} and u.erased_at is null
    on conflict (tenant_id, environment, user_id, date, code) do update set source = excluded.source
    returning ${COLUMNS}`);
  return row;
}

export async function deleteMark(w: Write, id: string): Promise<MarkRow | undefined> {
  const [row] = await w.mutate<MarkRow>(
    sql.mutation`delete from attendance_marks where ${within(w.scope)} and id = ${id} returning ${COLUMNS}`,
  );
  return row;
}

export async function findMark(read: Read, id: string): Promise<MarkRow | undefined> {
  const [row] = await read.query<MarkRow>(
    sql.query`select ${COLUMNS} from attendance_marks where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** The marks of these people from one day to another, by person and day. */
export const listMarks = (
  read: Read,
  userIds: readonly string[],
  from: string,
  to: string,
): Promise<MarkRow[]> =>
  read.query<MarkRow>(sql.query`select ${COLUMNS} from attendance_marks
    where ${within(read.scope)} and user_id = any(${userIds}::uuid[]) and date between ${from} and ${to}
    order by user_id, date, code`);

/** Deletes the marks of the people of a site that are before a day. */
export async function deleteOldMarks(w: Write, siteId: string, before: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_marks where ${within(w.scope)} and date < ${before}
    and user_id in (select id from tenant_users where ${within(w.scope)} and site_id = ${siteId})`);
}

/** Deletes the marks of erased people of whom no hours are left. Until then, they have no site, and their marks go with no site's. */
export async function deleteMarksOfErased(w: Write): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`delete from attendance_marks t where ${within(w.scope, 't')}
    and t.user_id in (select id from tenant_users where ${within(w.scope)} and erased_at is not null)
    and not exists (select 1 from attendance a where a.tenant_id = ${tenantId} and a.environment = ${environment} and a.user_id = t.user_id and a.site_id is not null)`);
}

/** Deletes the marks of a person. */
export async function eraseMarks(w: Write, userId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_marks where ${within(w.scope)} and user_id = ${userId}`);
}
