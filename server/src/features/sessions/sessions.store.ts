import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Mutation, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { Outcome } from '../proofs/proofs.js';

/** How long a retried refresh still gets the response of the first attempt. */
export const RETRY_MS = 60_000;

export const SESSION_EXPIRIES: readonly Expiry[] = [
  { table: sql`refresh_tokens`, column: sql`expires_at`, before: ageOf(0) },
  { table: sql`refresh_tokens`, column: sql`used_at`, before: ageOf(RETRY_MS), clears: sql`retry_answer` },
  { table: sql`sessions`, column: sql`expires_at`, before: ageOf(0) },
];

export interface LiveSession {
  id: string;
  /** Null in a session from an unbound proof, which has no user. */
  user_id: string | null;
  /** Also null in a session from sign-on, which has a user but no identity. */
  did: string | null;
  simulated: boolean;
}

/** The session, if it is live and its user and identity, if any, are active. */
export async function findLiveSession(read: Read, id: string, now: Date): Promise<LiveSession | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] =
    await read.query<LiveSession>(sql.query`select t.id, t.user_id, t.simulated, i.did from sessions t
    left join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = t.identity_id
    left join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    where ${within(read.scope, 't')} and t.id = ${id} and t.revoked_at is null and t.expires_at > ${now}
      and (t.identity_id is null or i.id is not null) and i.revoked_at is null
      and (t.user_id is null or u.status = 'active')`);
  return row;
}

export interface ListedSession {
  id: string;
  did: string | null;
  created_at: Date;
  expires_at: Date;
  from_pairing: boolean;
  simulated: boolean;
}

/** The sessions of a user that have not ended, newest first. A session from sign-on has no identity, so it has an index of its own. */
export function listLiveSessions(
  read: Read,
  userId: string,
  count: number,
  before: string | undefined,
  now: Date,
): Promise<ListedSession[]> {
  const { tenantId, environment } = read.scope;
  const inScope = (alias: Sql) =>
    sql`${alias}.tenant_id = ${tenantId} and ${alias}.environment = ${environment}`;
  const isLive = sql`${inScope(sql`s`)} and s.revoked_at is null and s.expires_at > ${now}
        ${before ? sql`and s.id < ${before}` : sql``}`;
  const columns = sql`s.id, s.created_at, s.expires_at, s.pairing_session_id is not null as from_pairing, s.simulated`;
  return read.query<ListedSession>(sql.query`select live.* from tenant_users t cross join lateral (
      select ${columns}, i.did from identities i join sessions s on s.identity_id = i.id
      where ${inScope(sql`i`)} and i.user_id = t.id and i.revoked_at is null and ${isLive}
      union all
      select ${columns}, null as did from sessions s
      where ${isLive} and s.identity_id is null and s.user_id = t.id
    ) as live where ${within(read.scope, 't')} and t.id = ${userId} and t.status = 'active'
    order by live.id desc limit ${count}`);
}

export interface Ending {
  revoked_at: Date | null;
  expires_at: Date;
}

export async function findEnding(read: Read, id: string): Promise<Ending | undefined> {
  const [row] = await read.query<Ending>(
    sql.query`select revoked_at, expires_at from sessions where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** When a session ended; undefined while it is live. */
export const endOf = ({ revoked_at: revoked, expires_at: expires }: Ending, now: Date): Date | undefined =>
  revoked ?? (expires <= now ? expires : undefined);

export interface NewSession {
  readonly id: string;
  readonly identityId: string;
  readonly userId: string;
  readonly refreshHash: string;
  readonly refreshExpiresAt: Date;
  readonly sessionExpiresAt: Date;
}

export async function insertSession(w: Write, session: NewSession, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  const { id, identityId, userId, refreshHash, refreshExpiresAt, sessionExpiresAt } = session;
  await Promise.all([
    w.mutate(sql.mutation`insert into sessions (tenant_id, environment, id, identity_id, user_id, created_at, expires_at)
      values (${tenantId}, ${environment}, ${id}, ${identityId}, ${userId}, ${now}, ${sessionExpiresAt})`),
    w.mutate(sql.mutation`insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
      values (${tenantId}, ${environment}, ${refreshHash}, ${id}, ${now}, ${refreshExpiresAt})`),
  ]);
}

/** The statements that open a session if a verification succeeds. */
export const openedBy = (
  { id, refreshHash, refreshExpiresAt, sessionExpiresAt }: Omit<NewSession, 'identityId' | 'userId'>,
  /** The pairing session that opens it. Logging out of one ends both. */
  pairingSessionId: string | null,
  { spent, known, now }: Outcome,
): Mutation[] => [
  sql.mutation`insert into sessions (tenant_id, environment, id, identity_id, user_id, pairing_session_id, created_at,
        expires_at)
      select spent.tenant_id, spent.environment, ${id}::uuid, known.id, known.user_id, ${pairingSessionId}::uuid,
        ${now}::timestamptz, ${sessionExpiresAt}::timestamptz from (${spent}) as spent, (${known}) as known`,
  sql.mutation`insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
      select spent.tenant_id, spent.environment, ${refreshHash}, ${id}::uuid, ${now}::timestamptz,
        ${refreshExpiresAt}::timestamptz from (${spent}) as spent`,
];

/** Ends a session and, if a pairing opened it, the pairing's other session. False if it had already ended. */
export async function revokeSession(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`update sessions set revoked_at = ${now}
    where ${within(w.scope)} and revoked_at is null and (id = ${id} or pairing_session_id =
      (select t.pairing_session_id from sessions t where ${within(w.scope, 't')} and t.id = ${id}))
    returning id`);
  return rows.some((row) => row.id === id);
}

export async function endSessionsOfIdentities(
  w: Write,
  identityIds: readonly string[],
  now: Date,
): Promise<void> {
  await w.mutate(sql.mutation`update sessions set revoked_at = ${now}
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[]) and revoked_at is null`);
}

export async function endSessionsOfUser(w: Write, userId: string, now: Date): Promise<void> {
  await w.mutate(sql.mutation`update sessions set revoked_at = ${now}
    where ${within(w.scope)} and user_id = ${userId} and revoked_at is null`);
}

/** Ends sessions after a restore, and with them their refresh tokens. Returns how many: fewer than `count` were the last ones. */
export async function endRestoredSessions(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`update sessions set revoked_at = ${now}
    where ${within(scope)} and id in (select id from sessions
      where ${within(scope)} and revoked_at is null limit ${count}) returning 1 as done`);
  return rows.length;
}

export interface RefreshRow {
  session_id: string;
  expires_at: Date;
  used_at: Date | null;
  retry_key_hash: string | null;
  retry_answer: string | null;
  successor_used: boolean;
  session_expires_at: Date;
}

export async function findRefreshToken(read: Read, tokenHash: string): Promise<RefreshRow | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] =
    await read.query<RefreshRow>(sql.query`select t.session_id, t.expires_at, t.used_at, t.retry_key_hash,
      t.retry_answer, s.expires_at as session_expires_at,
      exists (select 1 from refresh_tokens n where n.tenant_id = ${tenantId} and n.environment = ${environment}
        and n.token_hash = t.successor_hash and n.used_at is not null) as successor_used
    from refresh_tokens t
    join sessions s on s.tenant_id = ${tenantId} and s.environment = ${environment} and s.id = t.session_id
    where ${within(read.scope, 't')} and t.token_hash = ${tokenHash}`);
  return row;
}

export interface Rotation {
  readonly tokenHash: string;
  readonly successorHash: string;
  readonly successorExpiresAt: Date;
  readonly retryKeyHash: string | null;
  readonly retryAnswer: string | null;
}

/** Spends the token and inserts its successor in one guarded statement. False if the token is spent or expired, or its session has ended. */
export async function rotateRefreshToken(w: Write, rotation: Rotation, now: Date): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows = await w.mutate(sql.mutation`with spent as (
    update refresh_tokens t set used_at = ${now}, successor_hash = ${rotation.successorHash},
      retry_key_hash = ${rotation.retryKeyHash}, retry_answer = ${rotation.retryAnswer}
    from sessions s
    where ${within(w.scope, 't')} and t.token_hash = ${rotation.tokenHash} and t.used_at is null
      and t.expires_at > ${now} and s.tenant_id = ${tenantId} and s.environment = ${environment}
      and s.id = t.session_id and s.revoked_at is null and s.expires_at > ${now}
    returning t.session_id
  )
  insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
  select ${tenantId}::uuid, ${environment}, ${rotation.successorHash}, session_id, ${now}::timestamptz,
    ${rotation.successorExpiresAt}::timestamptz from spent
  returning session_id`);
  return rows.length > 0;
}

/** Ends a person's sessions, also those from sign-on, and forgets the responses that a retry would get. */
export async function eraseSessions(
  w: Write,
  { userId, identityIds }: { readonly userId: string; readonly identityIds: readonly string[] },
  now: Date,
): Promise<void> {
  const theirs = sql`${within(w.scope)} and (identity_id = any(${identityIds}::uuid[]) or identity_id is null and user_id = ${userId})`;
  await w.mutate(
    sql.mutation`update sessions set revoked_at = ${now} where ${theirs} and revoked_at is null`,
  );
  await w.mutate(sql.mutation`update refresh_tokens set retry_answer = null where ${within(w.scope)}
    and retry_answer is not null and session_id in (select id from sessions where ${theirs})`);
}
