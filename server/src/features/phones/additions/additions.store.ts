import type { Database } from '../../../db/db.js';
import { ageOf, type Expiry } from '../../../db/expiry.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../../ledger/write.js';

export const ADDITION_EXPIRY: Expiry = {
  table: sql`identity_additions`,
  column: sql`expires_at`,
  before: ageOf(0),
};

export type AdditionState = 'open' | 'joined' | 'revealed' | 'opened' | 'completed' | 'rejected';

export interface AdditionRow {
  tenant_id: string;
  environment: Scope['environment'];
  id: string;
  state: AdditionState;
  did: string;
  a_hash: string;
  a: string | null;
  nonce: string | null;
  timestamp_ms: number | null;
  c: string | null;
  new_did: string | null;
  new_commitment: string | null;
  b: string | null;
  new_proof: { proof: unknown; publicSignals: unknown } | null;
  expires_at: Date;
}

const COLUMNS = sql`t.tenant_id, t.environment, t.id, t.state, t.did, t.a_hash, t.a, t.nonce, t.timestamp_ms, t.c, t.new_did,
  t.new_commitment, t.b, t.new_proof, t.expires_at`;

export interface NewAddition {
  readonly id: string;
  readonly did: string;
  readonly aHash: string;
  readonly expiresAt: Date;
}

/** False if the identity has that many open additions already. */
export async function insertAddition(
  w: Write,
  { id, did, aHash, expiresAt }: NewAddition,
  most: number,
  now: Date,
): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows = await w.mutate(sql.mutation`insert into identity_additions
      (tenant_id, environment, id, state, did, a_hash, created_at, expires_at)
    select ${tenantId}::uuid, ${environment}, ${id}::uuid, 'open', ${did}, ${aHash}, ${now}::timestamptz,
      ${expiresAt}::timestamptz
    where (select count(*) from identity_additions t where ${within(w.scope, 't')} and t.did = ${did}
      and t.expires_at > ${now}) < ${most}
    returning 1 as made`);
  return rows.length > 0;
}

/** An addition of an active tenant that has not expired. */
export async function findAddition(db: Database, id: string, now: Date): Promise<AdditionRow | undefined> {
  const [row] = await db.query<AdditionRow>(sql.query`select ${COLUMNS} from identity_additions t
    join tenants a on a.id = t.tenant_id and a.status = 'active' where t.id = ${id} and t.expires_at > ${now}`);
  return row;
}

/** The same within a scope, for a code whose tenant is known to be active. */
export async function findAdditionIn(
  db: Database,
  scope: Scope,
  id: string,
  now: Date,
): Promise<AdditionRow | undefined> {
  const [row] = await db.query<AdditionRow>(sql.query`select ${COLUMNS} from identity_additions t
    where ${within(scope, 't')} and t.id = ${id} and t.expires_at > ${now}`);
  return row;
}

type StepWrite = UnauditedWrite<'additions'>;

/** The first request that finds the addition in the state before its step takes the step. */
const isIn = (state: AdditionState, now: Date): Sql => sql`state = ${state} and expires_at > ${now}`;

const scopeOf = ({ tenant_id: tenantId, environment }: AdditionRow): Scope => ({ tenantId, environment });

/** The new phone commits. False if another phone did, or if the addition was rejected or has expired. */
export async function joinAddition(w: StepWrite, row: AdditionRow, c: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update identity_additions set state = 'joined', c = ${c}
    where ${within(scopeOf(row))} and id = ${row.id} and ${isIn('open', now)} returning 1 as done`);
  return rows.length > 0;
}

/** The old phone reveals its random bytes, and the use that both proofs are bound to. */
export async function revealAddition(
  w: StepWrite,
  row: AdditionRow,
  { a, nonce, timestampMs }: { readonly a: string; readonly nonce: string; readonly timestampMs: number },
  now: Date,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update identity_additions
    set state = 'revealed', a = ${a}, nonce = ${nonce}, timestamp_ms = ${timestampMs}
    where ${within(scopeOf(row))} and id = ${row.id} and ${isIn('joined', now)} returning 1 as done`);
  return rows.length > 0;
}

export interface Answer {
  readonly newDid: string;
  readonly newCommitment: string;
  readonly b: string;
  /** The new phone's proof with its public signals. */
  readonly proof: object;
}

/** The new phone opens what it committed to. */
export async function answerAddition(
  w: StepWrite,
  row: AdditionRow,
  { newDid, newCommitment, b, proof }: Answer,
  now: Date,
): Promise<boolean> {
  const rows =
    await w.mutate(sql.mutation`update identity_additions set state = 'opened', new_did = ${newDid},
      new_commitment = ${newCommitment}, b = ${b}, new_proof = ${JSON.stringify(proof)}::json
    where ${within(scopeOf(row))} and id = ${row.id} and ${isIn('revealed', now)} returning 1 as done`);
  return rows.length > 0;
}

/** Ends an addition without a new identity. Returns the identity that opened it; undefined if the addition has ended. */
export async function rejectAddition(
  w: Write,
  id: string,
  now: Date,
): Promise<{ identity_id: string; user_id: string } | undefined> {
  const { tenantId, environment } = w.scope;
  const [row] = await w.mutate<{
    identity_id: string;
    user_id: string;
  }>(sql.mutation`update identity_additions t set state = 'rejected' from identities i
    where ${within(w.scope, 't')} and t.id = ${id} and t.state in ('open', 'joined', 'revealed', 'opened')
      and t.expires_at > ${now} and i.tenant_id = ${tenantId} and i.environment = ${environment} and i.did = t.did
    returning i.id as identity_id, i.user_id`);
  return row;
}

/** What an identity is added by. */
export interface Completion {
  readonly id: string;
  /** The phone that authorizes it. */
  readonly did: string;
  readonly newDid: string;
  readonly newCommitment: string;
}

export async function completeAddition(
  w: Write,
  { id, did, newDid, newCommitment }: Completion,
  now: Date,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update identity_additions t set state = 'completed'
    where ${within(w.scope, 't')} and t.id = ${id} and t.did = ${did} and t.new_did = ${newDid}
      and t.new_commitment = ${newCommitment} and t.state = 'opened' and t.expires_at > ${now} returning 1 as done`);
  return rows.length > 0;
}

/** The state of an addition that this identity opened. */
export async function findState(
  w: Write,
  { id, did }: Pick<Completion, 'id' | 'did'>,
  now: Date,
): Promise<AdditionState | undefined> {
  const [row] = await w.query<Pick<AdditionRow, 'state'>>(sql.query`select state from identity_additions
    where ${within(w.scope)} and id = ${id} and did = ${did} and expires_at > ${now}`);
  return row?.state;
}

/** When an identity comes into force. Null: since it was added. */
export async function findInForceAt(read: Read, did: string): Promise<Date | null> {
  const [row] = await read.query<{ in_force_at: Date | null }>(
    sql.query`select in_force_at from identities where ${within(read.scope)} and did = ${did}`,
  );
  return row?.in_force_at ?? null;
}

/** The state of each addition, for the requests that wait for its change. */
export async function additionStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<Pick<AdditionRow, 'id' | 'state'>>(
    sql.query`select id, state from identity_additions where id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Deletes the additions that name one of these DIDs. */
export async function eraseAdditions(w: Write, dids: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`delete from identity_additions
    where ${within(w.scope)} and (did = any(${dids}::text[]) or new_did = any(${dids}::text[]))`);
}

/** Forgets additions after a restore. Returns how many: fewer than `count` were the last ones. */
export async function deleteRestoredAdditions(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`delete from identity_additions
    where ${within(scope)} and id in (select id from identity_additions
      where ${within(scope)} limit ${count}) returning 1 as done`);
  return rows.length;
}
