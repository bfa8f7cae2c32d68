import type { TimeEvent } from '@svc/zk/time/events';
import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

export interface SitePerson {
  readonly id: string;
  readonly name: string;
  readonly employee_code: string | null;
}

interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** Whether there are marks, readings or closings of months before one. */
export async function hasOld(read: Read, siteId: string, month: string): Promise<boolean> {
  const ofSite = sql`${within(read.scope)} and site_id = ${siteId}`;
  const [row] = await read.query<{ found: boolean }>(sql.query`select
    exists (select 1 from attendance_closings where ${ofSite} and month < ${month})
    or exists (select 1 from attendance_readings where ${ofSite} and month < ${month})
    or exists (select 1 from attendance_marks where ${within(read.scope)} and date < ${`${month}-01`}
      and user_id in (select id from tenant_users where ${ofSite})) as found`);
  return row?.found ?? false;
}

/** Who works at a site, or has an event there in that time. */
export const listPeople = (
  read: Read,
  siteId: string,
  { from, to }: Range,
  userId?: string,
): Promise<SitePerson[]> => {
  const isIt = userId === undefined ? sql`true` : sql`t.id = ${userId}`;
  return read.query<SitePerson>(sql.query`select t.id, t.full_name as name, t.employee_code from tenant_users t
    where ${within(read.scope, 't')} and ${isIt} and t.id = any (array(
      select id from tenant_users where ${within(read.scope)} and site_id = ${siteId} and erased_at is null
      union select user_id from attendance
        where ${within(read.scope)} and site_id = ${siteId} and occurred_at >= ${from} and occurred_at < ${to}))`);
};

export interface PersonEvent extends TimeEvent {
  readonly userId: string;
  readonly isContested: boolean;
}

/** The events of these people at a site in that time. Those from before there were reasons are asserted work. */
export const listEvents = (
  read: Read,
  siteId: string,
  userIds: readonly string[],
  { from, to }: Range,
): Promise<PersonEvent[]> =>
  // PostgreSQL writes what a sheet reads, because there are 100,000 of them.
  read.query<PersonEvent>(sql.query`select id, user_id as "userId", type, coalesce(reason, 'work') as reason,
      to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      coalesce(evidence, 'asserted') as evidence, result, voided_by is not null as voided,
      contested_at is not null as "isContested"
    from attendance where ${within(read.scope)} and user_id = any(${userIds}::uuid[]) and site_id = ${siteId}
      and occurred_at >= ${from} and occurred_at < ${to}`);
