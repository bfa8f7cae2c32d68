import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

export interface HereEvent {
  readonly userId: string;
  readonly name: string;
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break' | null;
  readonly mode: 'desk' | 'remote' | null;
  readonly at: Date;
  readonly deviceId: string | null;
}

/** The accepted events at a site since a moment, oldest first, that no correction replaced. */
export const listRecent = (read: Read, siteId: string, since: Date): Promise<HereEvent[]> =>
  read.query<HereEvent>(sql.query`select t.user_id as "userId", u.full_name as name, t.type, t.reason, t.mode, t.occurred_at as at,
      t.device_id as "deviceId"
    from (select user_id, type, reason, mode, occurred_at, device_id, id, result, voided_by from attendance t where ${within(read.scope, 't')} and t.site_id = ${siteId}
        and t.occurred_at >= ${since} and t.occurred_at < 'infinity' order by t.occurred_at, t.id limit 20000) as t join tenant_users u on u.tenant_id = ${read.scope.tenantId} and u.environment = ${read.scope.environment}
      and u.id = t.user_id and u.erased_at is null
    where t.result = 'accepted' and t.voided_by is null
    order by t.occurred_at, t.id`);

/** Active people of a site with a mark for a day. */
export const listAbsent = (
  read: Read,
  siteId: string,
  date: string,
): Promise<{ userId: string; name: string }[]> =>
  read.query<{ userId: string; name: string }>(sql.query`select distinct t.id as "userId", t.full_name as name
    from tenant_users t join attendance_marks m on m.tenant_id = ${read.scope.tenantId} and m.environment = ${read.scope.environment}
      and m.user_id = t.id and m.date = ${date}
    where ${within(read.scope, 't')} and t.site_id = ${siteId} and t.status = 'active' order by name, "userId"`);
