import type { Static } from 'typebox';
import { isUuid } from '../../base/random.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { type NewRow, type Row, record } from '../../records/columns.js';
import { countRows, firstRows } from '../../records/first-rows.js';
import { startsWith } from '../../records/prefix.js';
import { eventRows } from './events.js';
import {
  type ListVerificationsQuery,
  METHODS,
  RESULTS,
  verificationColumns,
} from './verifications.schema.js';

export const verifications = record(verificationColumns);
const COLUMNS = verifications.list;
export type VerificationRow = Row<typeof verificationColumns>;

export interface Inserted {
  readonly row: VerificationRow;
  readonly userKnown: boolean;
  readonly deviceKnown: boolean;
}

/**
 * Inserts the event and returns whether its user and device are of this tenant and environment. If not, do not commit. The
 * row is built from what was sent, as PostgreSQL would return it, because reading it back costs more than writing it.
 */
export async function insertVerification(
  w: Write,
  event: NewRow<typeof verificationColumns>,
): Promise<Inserted> {
  const row = verifications.row(event);
  const [known] = await Promise.all([
    areKnown(w, row),
    w.mutate(sql.mutation`insert into verifications (tenant_id, ${COLUMNS})
      values (${w.scope.tenantId}, ${verifications.values(row)})`),
  ]);
  return { row, ...known };
}

async function areKnown(w: Write, { user_id: userId, device_id: deviceId }: VerificationRow) {
  if (userId === null && deviceId === null) return { userKnown: true, deviceKnown: true };
  const [flags] = await w.query<{ user_known: boolean; device_known: boolean }>(sql.query`select
    ${userId}::uuid is null or exists (select 1 from tenant_users where ${within(w.scope)} and id = ${userId}) as user_known,
    ${deviceId}::uuid is null or exists (select 1 from devices where ${within(w.scope)} and id = ${deviceId}) as device_known`);
  return { userKnown: flags?.user_known === true, deviceKnown: flags?.device_known === true };
}

export async function findVerification(read: Read, id: string): Promise<VerificationRow | undefined> {
  const [row] = await read.query<VerificationRow>(
    sql.query`select ${COLUMNS} from verifications where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export type SearchQuery = Static<typeof ListVerificationsQuery>;

const eventsOf = (query: SearchQuery) => ({
  table: sql`verifications`,
  choices: [
    { column: sql`method`, values: query.method ? [query.method] : METHODS },
    { column: sql`result`, values: query.result ? [query.result] : RESULTS },
  ] as const,
  isChosen: query.method !== undefined || query.result !== undefined,
});

/** The reference starts with this text, or the whole id is this one. */
const isFound = (q: string): Sql => {
  const reference = startsWith([sql`reference_id`], q);
  return isUuid(q) ? sql`${reference} or id = ${q}::uuid` : reference;
};

const searched = (read: Read, query: SearchQuery, after: string | undefined) =>
  eventRows(
    read.scope,
    { ...eventsOf(query), search: query.q === undefined ? undefined : isFound(query.q) },
    query,
    after,
  );

/** A page of the list. */
export const selectVerifications = (
  read: Read,
  query: SearchQuery,
  count: number,
  after: string | undefined,
): Query => firstRows(COLUMNS, searched(read, query, after), count);

export async function countVerifications(read: Read, query: SearchQuery): Promise<number> {
  const [row] = await read.query<{ count: number }>(countRows(searched(read, query, undefined)));
  return row?.count ?? 0;
}
