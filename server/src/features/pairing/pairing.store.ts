import type { ErrorCode } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { join, type Mutation, type Query, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';

const DAY_MS = 24 * 60 * 60_000;

export const PAIRING_EXPIRIES: readonly Expiry[] = [
  {
    table: sql`proof_pairing_sessions`,
    column: sql`expires_at`,
    before: ageOf(0),
    clears: sql`desktop_refresh_sealed`,
  },
  { table: sql`proof_pairing_sessions`, column: sql`expires_at`, before: ageOf(30 * DAY_MS) },
];

export interface PairingRow {
  id: string;
  created_at: Date;
  nonce: string;
  bind_hash: string;
  state: 'issued' | 'bound';
  expires_at: Date;
  error_count: number;
  errors: ErrorCode[];
  bound_at: Date | null;
  user_id: string | null;
  did: string | null;
  desktop_session_id: string | null;
  /** Also null if the desktop's session has ended or its refresh token was used. */
  desktop_refresh_sealed: string | null;
}

const inForce = ({ tenantId, environment }: Scope): Sql => sql`exists (select 1 from sessions s
    join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = s.identity_id
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = s.user_id
    join refresh_tokens r on r.tenant_id = ${tenantId} and r.environment = ${environment} and r.session_id = s.id
    where s.tenant_id = ${tenantId} and s.environment = ${environment} and s.id = t.desktop_session_id
      and s.revoked_at is null and i.revoked_at is null and u.status = 'active'
      and r.token_hash = t.desktop_refresh_hash and r.used_at is null)`;

const columns = (
  scope: Scope,
): Sql => sql`t.id, t.created_at, t.nonce, t.bind_hash, t.state, t.expires_at, t.error_count, t.errors,
  t.bound_at, t.user_id, t.did, t.desktop_session_id,
  case when ${inForce(scope)} then t.desktop_refresh_sealed end as desktop_refresh_sealed`;

export interface NewPairing {
  readonly id: string;
  readonly nonce: string;
  readonly bindHash: string;
  readonly expiresAt: Date;
}

export async function insertPairing(w: Write, pairing: NewPairing, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into proof_pairing_sessions (tenant_id, environment, id, nonce, bind_hash, created_at, expires_at)
    values (${tenantId}, ${environment}, ${pairing.id}, ${pairing.nonce}, ${pairing.bindHash}, ${now}, ${pairing.expiresAt})`);
}

export async function findPairing(read: Read, id: string): Promise<PairingRow | undefined> {
  const [row] = await read.query<PairingRow>(
    sql.query`select ${columns(read.scope)} from proof_pairing_sessions t where ${within(read.scope, 't')} and t.id = ${id}`,
  );
  return row;
}

/** As `findPairing`, but only while the query `credential` returns a row. */
export async function findWhile(read: Read, id: string, credential: Query): Promise<PairingRow | undefined> {
  const [row] =
    await read.query<PairingRow>(sql.query`select ${columns(read.scope)} from proof_pairing_sessions t
    where ${within(read.scope, 't')} and t.id = ${id} and exists (${credential})`);
  return row;
}

/** Newest first. */
export async function listPairings(
  read: Read,
  state: 'issued' | 'bound' | 'expired' | undefined,
  count: number,
  before: string | undefined,
  now: Date,
): Promise<PairingRow[]> {
  const conditions = [
    within(read.scope, 't'),
    ...(before === undefined ? [] : [sql`t.id < ${before}`]),
    ...(state === 'bound' ? [sql`t.state = 'bound'`] : []),
    ...(state === 'issued' ? [sql`t.state = 'issued' and t.expires_at > ${now}`] : []),
    ...(state === 'expired' ? [sql`t.state = 'issued' and t.expires_at <= ${now}`] : []),
  ];
  return read.query<PairingRow>(sql.query`select ${columns(read.scope)} from proof_pairing_sessions t
    where ${join(conditions, ' and ')} order by t.id desc limit ${count}`);
}

/** The public state of a session, for active accounts only. */
export async function findPublic(
  db: Database,
  id: string,
  now: Date,
): Promise<Pick<PairingRow, 'id' | 'state' | 'expires_at'> | undefined> {
  const [row] = await db.query<Pick<PairingRow, 'id' | 'state' | 'expires_at'>>(sql.query`
    select t.id, t.state, t.expires_at from proof_pairing_sessions t join tenants a on a.id = t.tenant_id
    where t.id = ${id} and t.expires_at > ${now} and a.status = 'active'`);
  return row;
}

/** Waits for a concurrent submit. This is a separate statement, so the statements after it see the outcome. */
export async function lockPairing(
  w: Write,
  id: string,
): Promise<Pick<PairingRow, 'state' | 'expires_at'> | undefined> {
  const [row] = await w.query<Pick<PairingRow, 'state' | 'expires_at'>>(
    sql.query`select state, expires_at from proof_pairing_sessions where ${within(w.scope)} and id = ${id} for update`,
  );
  return row;
}

export interface Bind {
  readonly id: string;
  readonly did: string;
  readonly desktop: { readonly id: string; readonly refreshHash: string; readonly refreshSealed: string };
}

/** Binds an open session to the candidate of a verification. Of concurrent verifications, only one succeeds. */
export function spendPairing({ scope }: Write, { id, did, desktop }: Bind, now: Date): Mutation {
  return sql.mutation`update proof_pairing_sessions t set state = 'bound', bound_at = ${now}, did = ${did},
      user_id = candidate.user_id, desktop_session_id = ${desktop.id}, desktop_refresh_hash = ${desktop.refreshHash},
      desktop_refresh_sealed = ${desktop.refreshSealed}
    from candidate
    where ${within(scope, 't')} and t.id = ${id} and t.state = 'issued' and t.expires_at > ${now}
    returning 1`;
}

/** Stores the last 20 errors of an open session for its streams. Without an array slice: in a `set`, one crashes Citus 13.2. */
export async function recordError(w: Write, id: string, code: ErrorCode, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update proof_pairing_sessions set error_count = error_count + 1,
      errors = (select array_agg(e.code order by e.number) from unnest(errors || ${code}::text) with ordinality as e (code, number)
        where e.number > cardinality(errors) - 19)
    where ${within(w.scope)} and id = ${id} and state = 'issued' and expires_at > ${now}`);
}

/** The state that streams wait to change, as text. */
export async function pairingStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{
    id: string;
    state: string;
  }>(sql.query`select id, state || error_count as state
    from proof_pairing_sessions where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}
