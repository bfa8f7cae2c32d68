import type { Static } from 'typebox';
import { isUuid } from '../../base/crypto/random.js';
import { type Query, type Sql, sql } from '../../db/sql.js';
import { SEAL_COLUMNS } from '../../ledger/record-seal.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { FAILURE_REASONS } from '../../model/failure-reasons.js';
import { type NewRow, type Row, record } from '../../records/columns.js';
import { countRows, firstRows, opaque } from '../../records/first-rows.js';
import { countOldRows, type DeletedRows, firstOld, type OldRows } from '../../records/old-rows.js';
import { startsWith } from '../../records/prefix.js';
import { removeText } from '../../records/seals/removing-text.js';
import { eventRows } from './events.js';
import {
  type ListVerificationsQuery,
  METHODS,
  RESULTS,
  verificationColumns,
} from './verifications.schema.js';

export const verifications = record(verificationColumns);
const COLUMNS = verifications.list;
/** Verifications with what their seals are made of. */
export const sealedVerifications = {
  kind: 'verification',
  table: sql`verifications`,
  of: verifications,
  sealedAt: sql`created_at`,
  textHash: sql`text_hash`,
} as const;
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
  const seal = w.seal('verification');
  const [known] = await Promise.all([
    areKnown(w, row),
    w.mutate(sql.mutation`insert into verifications (tenant_id, ${COLUMNS}, ${SEAL_COLUMNS})
      values (${w.scope.tenantId}, ${verifications.values(row)}, ${seal.values})`),
  ]);
  seal.place(verifications.serialize(row));
  return { row, ...known };
}

async function areKnown(w: Write, { user_id: userId, device_id: deviceId }: VerificationRow) {
  if (userId === null && deviceId === null) return { userKnown: true, deviceKnown: true };
  const [flags] = await w.query<{ user_known: boolean; device_known: boolean }>(sql.query`select
    ${userId}::uuid is null or exists (select 1 from tenant_users where ${within(w.scope)} and id = ${userId} and erased_at is null) as user_known,
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

/** Why a verification failed. Only failures have such a reason: a record of an account can have any text with any result. */
const failedFor = (reason: string): Sql[] => [
  sql`result = 'fail'`,
  sql`reason = ${opaque(sql`${reason}::text`)}`,
];

const searched = (read: Read, query: SearchQuery, after: string | undefined) =>
  eventRows(
    read.scope,
    {
      ...eventsOf(query),
      search: query.q === undefined ? undefined : isFound(query.q),
      ...(query.reason !== undefined && { own: failedFor(query.reason) }),
    },
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

/** Removes what events say of an erased person in free text. Codes that the service recorded itself stay. @returns how many had some */
export function stripVerifications(w: Write, userId: string): Promise<number> {
  const codes = [...FAILURE_REASONS];
  return removeText(w, {
    ...{ kind: 'verification', table: sql`verifications`, of: verifications },
    found: sql`user_id = ${userId}
      and (reference_id is not null or metadata is not null or reason <> all(${codes}::text[]))`,
    clear: (removed) => sql.mutation`update verifications t set reference_id = null, metadata = null,
        reason = case when reason = any(${codes}::text[]) then reason end, text_salt = null, text_hash = removed.hash
      from ${removed} where ${within(w.scope, 't')} and t.id = removed.id`,
  });
}

/** Deletes the first of the old events. */
export async function deleteOld(w: Write, old: OldRows): Promise<DeletedRows> {
  const [row] = await w.mutate<DeletedRows>(sql.mutation`with deleted as (
      delete from verifications where ${within(w.scope)} and id = any (${firstOld(w.scope, sql`verifications`, old)}) returning id)
    select count(*) as count, max(id::text) as last from deleted`);
  return row as DeletedRows;
}

export async function countOld(read: Read, before: Date, limit: number): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    countOldRows(read.scope, sql`verifications`, before, limit),
  );
  return row?.count ?? 0;
}
