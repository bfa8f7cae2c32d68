import type { Correction, CorrectionChange } from '@svc/zk/time/correction';
import type { Groth16Proof } from '@svc/zk/verifier/proof';
import type { Database } from '../../db/db.js';
import { join, type Sql, sql } from '../../db/sql.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { opaque } from '../../records/first-rows.js';
import type { CORRECTION_STATES } from './corrections.schema.js';

export type CorrectionState = (typeof CORRECTION_STATES)[number];

export interface CorrectionRow {
  readonly id: string;
  readonly user_id: string;
  readonly site_id: string | null;
  readonly state: CorrectionState;
  readonly cause: Correction['cause'];
  readonly note: string | null;
  readonly changes: readonly CorrectionChange[];
  readonly correction_sha256: string;
  readonly proposed_by: 'person' | 'member';
  readonly member_id: string | null;
  readonly person_by: 'phone' | 'pin' | null;
  readonly person_at: Date | null;
  readonly member_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  /** When the account recorded what it says, without agreement. */
  readonly recorded_at: Date | null;
}

const COLUMNS = sql`id, user_id, site_id, state, cause, note, changes, correction_sha256, proposed_by, member_id, person_by, person_at,
  member_at, created_at, expires_at, ended_at, recorded_at`;

/** What the person's phone proved when they proposed or decided. */
export interface PersonProof {
  readonly statement: string;
  readonly digest: string;
  readonly did: string;
  readonly identityId: string;
  readonly proof: object;
  /** By the clock of the phone. The proof is bound to it. */
  readonly provedAt: Date;
}

/** False if there is one with this id. */
export async function insertCorrection(
  w: Write,
  of: CorrectionRow,
  proof: PersonProof | undefined,
): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into attendance_corrections (tenant_id, environment, ${COLUMNS},
      person_statement, person_digest, person_did, person_identity_id, person_proof, person_proved_at)
    values (${tenantId}, ${environment}, ${of.id}, ${of.user_id}, ${of.site_id}, ${of.state}, ${of.cause}, ${of.note},
      ${JSON.stringify(of.changes)}::json, ${of.correction_sha256}, ${of.proposed_by}, ${of.member_id}, ${of.person_by},
      ${of.person_at}, ${of.member_at}, ${of.created_at}, ${of.expires_at}, ${of.ended_at}, ${of.recorded_at}, ${proof?.statement ?? null},
      ${proof?.digest ?? null}, ${proof?.did ?? null}, ${proof?.identityId ?? null},
      ${proof ? JSON.stringify(proof.proof) : null}::json, ${proof?.provedAt ?? null})
    on conflict do nothing returning 1 as done`);
  return rows.length > 0;
}

/** How a correction ends. */
export interface Ending {
  readonly state: Exclude<CorrectionState, 'proposed'>;
  readonly member?: string;
  readonly person?: { readonly by: 'phone' | 'pin'; readonly proof?: PersonProof };
}

/** Ends a correction that waits. Undefined if it has ended: of two decisions at the same time, one gets the row. */
export async function endCorrection(
  w: Write,
  id: string,
  { state, member, person }: Ending,
  now: Date,
): Promise<CorrectionRow | undefined> {
  const proof = person?.proof;
  const isInTime = state === 'unanswered' ? sql`expires_at <= ${now}` : sql`expires_at > ${now}`;
  const [row] =
    await w.mutate<CorrectionRow>(sql.mutation`update attendance_corrections set state = ${state}, ended_at = ${now},
      member_id = coalesce(${member ?? null}::uuid, member_id),
      member_at = case when ${member !== undefined} then ${now}::timestamptz else member_at end,
      person_by = coalesce(${person?.by ?? null}, person_by),
      person_at = case when ${person !== undefined} then ${now}::timestamptz else person_at end,
      person_statement = coalesce(${proof?.statement ?? null}, person_statement),
      person_digest = coalesce(${proof?.digest ?? null}, person_digest), person_did = coalesce(${proof?.did ?? null}, person_did),
      person_identity_id = coalesce(${proof?.identityId ?? null}::uuid, person_identity_id),
      person_proof = coalesce(${proof ? JSON.stringify(proof.proof) : null}::json, person_proof),
      person_proved_at = coalesce(${proof?.provedAt ?? null}::timestamptz, person_proved_at)
    where ${within(w.scope)} and id = ${id} and state = 'proposed' and ${isInTime} returning ${COLUMNS}`);
  return row;
}

/** Notes that the account recorded what it says. False if it did before. */
export async function markRecorded(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update attendance_corrections set recorded_at = ${now}
    where ${within(w.scope)} and id = ${id} and recorded_at is null returning 1 as done`);
  return rows.length > 0;
}

export async function findCorrection(read: Read, id: string): Promise<CorrectionRow | undefined> {
  const [row] = await read.query<CorrectionRow>(
    sql.query`select ${COLUMNS} from attendance_corrections where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export interface CorrectionFilter {
  readonly state?: CorrectionState;
  readonly userId?: string;
  readonly siteId?: string;
  /** Those of a member. Null: all. */
  readonly siteIds: readonly string[] | null;
}

/** Where a page of the list ends. It stays when the row goes. */
export const positionOf = ({ created_at, id }: Pick<CorrectionRow, 'created_at' | 'id'>): string =>
  `${created_at.toISOString()} ${id}`;

/** At most `count` before a position, newest first. */
export const listCorrections = (
  read: Read,
  { state, userId, siteId, siteIds }: CorrectionFilter,
  count: number,
  before: string | undefined,
): Promise<CorrectionRow[]> => {
  const [time, id] = before?.split(' ') ?? [];
  const conditions = [
    within(read.scope),
    ...(state === undefined ? [] : [sql`state = ${opaque(sql`${state}::text`)}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${opaque(sql`${userId}::uuid`)}`]),
    ...(siteId === undefined ? [] : [sql`site_id = ${opaque(sql`${siteId}::uuid`)}`]),
    ...(siteIds === null ? [] : [sql`site_id = any(${[...siteIds]}::uuid[])`]),
    ...(time === undefined ? [] : [sql`(created_at, id) < (${time}::timestamptz, ${id}::uuid)`]),
  ];
  return read.query<CorrectionRow>(sql.query`select ${COLUMNS} from attendance_corrections
    where ${join(conditions, ' and ')} order by created_at desc, id desc limit ${count}`);
};

/** With what the person's phone proved. */
export interface ProvedCorrection extends CorrectionRow {
  readonly person_statement: string | null;
  readonly person_did: string | null;
  readonly person_proof: {
    readonly proof: Groth16Proof;
    readonly publicSignals: readonly [string, string, string];
  } | null;
  readonly person_proved_at: Date | null;
}

/** Those that were proposed for a site since a moment, and others with these ids, after one, in the order of their ids. */
export const listProved = (
  read: Read,
  { siteId, since, ids }: { readonly siteId: string; readonly since: Date; readonly ids: readonly string[] },
  after: string,
  count: number,
): Promise<ProvedCorrection[]> =>
  read.query<ProvedCorrection>(sql.query`select ${COLUMNS}, person_statement, person_did, person_proof, person_proved_at
    from attendance_corrections where ${within(read.scope)} and id > ${after}
      and (site_id = ${siteId} and created_at >= ${since} or id = any(${[...ids]}::uuid[])) order by id limit ${count}`);

/** Those of a person that a member proposed and they have not decided, oldest first. */
export const listWaiting = (read: Read, userId: string, now: Date): Promise<CorrectionRow[]> =>
  read.query<CorrectionRow>(sql.query`select ${COLUMNS} from attendance_corrections where ${within(read.scope)}
    and user_id = ${userId} and state = 'proposed' and expires_at > ${now} order by created_at, id limit 20`);

const isOld = (siteId: string, before: Date): Sql =>
  sql`site_id = ${siteId} and created_at < ${before} and state <> 'proposed'`;

/** Whether there are any to delete. */
export async function hasOld(read: Read, siteId: string, before: Date): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 as found from attendance_corrections
    where ${within(read.scope)} and ${isOld(siteId, before)} limit 1`);
  return rows.length > 0;
}

/** Deletes the corrections of a site that were proposed before a moment and have ended. */
export async function deleteOld(w: Write, siteId: string, before: Date): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_corrections
    where ${within(w.scope)} and ${isOld(siteId, before)}`);
}

/** Deletes the corrections of a person that belong to no site. */
export async function eraseCorrections(w: Write, userId: string): Promise<void> {
  await w.mutate(
    sql.mutation`delete from attendance_corrections where ${within(w.scope)} and user_id = ${userId} and site_id is null`,
  );
}

/** Corrections of any account whose time is over. */
export const listLapsed = (
  db: Database,
  now: Date,
  limit: number,
): Promise<{ id: string; tenant_id: string; environment: 'live' | 'test' }[]> =>
  db.query<{
    id: string;
    tenant_id: string;
    environment: 'live' | 'test';
  }>(sql.query`select t.tenant_id, t.environment, t.id from attendance_corrections t
    where t.state = 'proposed' and t.expires_at <= ${now} order by t.expires_at limit ${limit}`);
