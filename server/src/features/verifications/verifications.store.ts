import type { Static } from 'typebox';
import { sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';
import { listEvents } from './events.js';
import { type ListVerificationsQuery, METHODS, RESULTS } from './verifications.schema.js';

export type Method = (typeof METHODS)[number];
export type Result = (typeof RESULTS)[number];

export interface VerificationRow {
  id: string;
  environment: 'live' | 'test';
  method: Method;
  result: Result;
  user_id: string | null;
  device_id: string | null;
  reason: string | null;
  confidence_score: number | null;
  reference_id: string | null;
  metadata: Record<string, unknown> | null;
  occurred_at: Date;
  created_at: Date;
}

export interface NewVerification {
  readonly id: string;
  readonly method: Method;
  readonly result: Result;
  readonly userId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly reason?: string | undefined;
  readonly confidenceScore?: number | undefined;
  readonly referenceId?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly occurredAt: Date;
}

const COLUMNS = sql`id, environment, method, result, user_id, device_id, reason, confidence_score, reference_id,
  metadata, occurred_at, created_at`;

export interface Inserted {
  readonly row: VerificationRow;
  readonly userKnown: boolean;
  readonly deviceKnown: boolean;
}

/**
 * Inserts, and says whether the user and the device it names are of this tenant and environment: if not, do not commit.
 * The row is what was sent, as PostgreSQL would write it: to have it read back would cost more than to write it.
 */
export async function insertVerification(w: Write, event: NewVerification, now: Date): Promise<Inserted> {
  const { tenantId, environment } = w.scope;
  const row: VerificationRow = {
    id: event.id,
    environment,
    method: event.method,
    result: event.result,
    user_id: event.userId?.toLowerCase() ?? null,
    device_id: event.deviceId?.toLowerCase() ?? null,
    reason: event.reason ?? null,
    confidence_score: event.confidenceScore ?? null,
    reference_id: event.referenceId ?? null,
    metadata: event.metadata ?? null,
    occurred_at: event.occurredAt,
    created_at: now,
  };
  const known = areKnown(w, row);
  await w.query(sql`insert into verifications (tenant_id, ${COLUMNS})
    values (${tenantId}, ${row.id}, ${environment}, ${row.method}, ${row.result}, ${row.user_id}, ${row.device_id},
      ${row.reason}, ${row.confidence_score}, ${row.reference_id},
      ${row.metadata ? JSON.stringify(row.metadata) : null}::json, ${row.occurred_at}, ${row.created_at})`);
  return { row, ...(await known) };
}

async function areKnown(w: Write, { user_id: userId, device_id: deviceId }: VerificationRow) {
  if (userId === null && deviceId === null) return { userKnown: true, deviceKnown: true };
  const [flags] = await w.query<{ user_known: boolean; device_known: boolean }>(sql`select
    ${userId}::uuid is null or exists (select 1 from tenant_users where ${within(w.scope)} and id = ${userId}) as user_known,
    ${deviceId}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId}) as device_known`);
  return { userKnown: flags?.user_known === true, deviceKnown: flags?.device_known === true };
}

export async function findVerification(read: Read, id: string): Promise<VerificationRow | undefined> {
  const [row] = await read.query<VerificationRow>(
    sql`select ${COLUMNS} from verifications where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export const listVerifications = (
  read: Read,
  query: Static<typeof ListVerificationsQuery>,
  count: number,
  before: string | undefined,
): Promise<VerificationRow[]> =>
  listEvents(
    read,
    {
      table: sql`verifications`,
      columns: COLUMNS,
      choices: [
        { column: sql`method`, values: query.method ? [query.method] : METHODS },
        { column: sql`result`, values: query.result ? [query.result] : RESULTS },
      ],
      isChosen: query.method !== undefined || query.result !== undefined,
    },
    query,
    count,
    before,
  );
