import type { Static } from 'typebox';
import { sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';
import { listEvents } from '../verifications/verifications.js';
import { EVENT_TYPES, type ListAttendanceQuery, RESULTS } from './attendance.schema.js';

export type AttendanceType = 'check_in' | 'check_out';
export type AttendanceResult = 'accepted' | 'rejected';

export interface AttendanceRow {
  id: string;
  environment: 'live' | 'test';
  user_id: string;
  type: AttendanceType;
  device_id: string | null;
  verification_id: string | null;
  result: AttendanceResult;
  metadata: Record<string, unknown> | null;
  occurred_at: Date;
  created_at: Date;
}

export interface NewAttendance {
  readonly id: string;
  readonly userId: string;
  readonly type: AttendanceType;
  readonly deviceId?: string | undefined;
  readonly verificationId?: string | undefined;
  /** Absent: what the verification says, else `accepted`. */
  readonly result?: AttendanceResult | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly occurredAt: Date;
}

const COLUMNS = sql`id, environment, user_id, type, device_id, verification_id, result, metadata, occurred_at, created_at`;

/** What of the records that an event names is there; each is true when it names none. */
export interface Known {
  readonly user_known: boolean;
  readonly device_known: boolean;
  readonly verification_known: boolean;
  /** False for a verification of another user. */
  readonly verification_theirs: boolean;
}

/** Inserts when everything that the event names is of this tenant and environment; says what is not. */
export async function insertAttendance(w: Write, event: NewAttendance, now: Date) {
  const { tenantId, environment } = w.scope;
  const { deviceId = null, verificationId = null } = event;
  const named = sql`select
    exists (select 1 from tenant_users where ${within(w.scope)} and id = ${event.userId}) as user_known,
    ${deviceId}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId}) as device_known,
    ${verificationId}::uuid is null or v.id is not null as verification_known,
    v.user_id is null or v.user_id = ${event.userId} as verification_theirs, v.result as verification_result
    from (select 1) as one left join verifications v on v.tenant_id = ${tenantId} and v.environment = ${environment}
      and v.id = ${verificationId}::uuid`;
  const known = w.query<Known>(named);
  const inserted =
    w.query<AttendanceRow>(sql`insert into attendance (tenant_id, environment, id, user_id, type, device_id,
      verification_id, result, metadata, occurred_at, created_at)
    select ${tenantId}::uuid, ${environment}, ${event.id}::uuid, ${event.userId}::uuid, ${event.type}, ${deviceId}::uuid,
      ${verificationId}::uuid,
      coalesce(${event.result ?? null}, case when verification_result <> 'pass' then 'rejected' else 'accepted' end),
      ${event.metadata ? JSON.stringify(event.metadata) : null}::json, ${event.occurredAt}::timestamptz, ${now}::timestamptz
    from (${named}) as named where user_known and device_known and verification_known and verification_theirs
    returning ${COLUMNS}`);
  const [[flags], [row]] = await Promise.all([known, inserted]);
  return { row, known: flags as Known };
}

export async function findAttendance(read: Read, id: string): Promise<AttendanceRow | undefined> {
  const [row] = await read.query<AttendanceRow>(
    sql`select ${COLUMNS} from attendance where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export const listAttendance = (
  read: Read,
  query: Static<typeof ListAttendanceQuery>,
  count: number,
  before: string | undefined,
): Promise<AttendanceRow[]> =>
  listEvents(
    read,
    {
      table: sql`attendance`,
      columns: COLUMNS,
      choices: [
        { column: sql`type`, values: query.type ? [query.type] : EVENT_TYPES },
        { column: sql`result`, values: query.result ? [query.result] : RESULTS },
      ],
      isChosen: query.type !== undefined || query.result !== undefined,
    },
    query,
    count,
    before,
  );
