import type { Database } from '../../db/db.js';
import { join, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { type CodePurpose, liveCode } from '../codes/codes.js';
import { externalIdExists } from '../users/users.js';
import { MOVE_FROM, type Move, moveTo, type State } from './states.js';

export interface SessionRow {
  id: string;
  environment: 'live' | 'test';
  state: State;
  profile: Record<string, unknown> | null;
  device_id: string | null;
  did: string | null;
  commitment: string | null;
  user_id: string | null;
  /** Attempts that were reserved and not returned, whatever their outcome. */
  failures: number;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

const COLUMNS = sql`id, environment, state, profile, device_id, did, commitment, user_id, failures, created_at, updated_at,
  expires_at`;

export async function insertSession(
  w: Write,
  session: { id: string; profile: Record<string, unknown> | null; expiresAt: Date },
  now: Date,
): Promise<SessionRow> {
  const { tenantId, environment } = w.scope;
  const [row] = await w.mutate<SessionRow>(sql.mutation`insert into registration_sessions
      (tenant_id, environment, id, state, profile, created_at, updated_at, expires_at)
    values (${tenantId}, ${environment}, ${session.id}, 'awaiting_device',
      ${session.profile ? JSON.stringify(session.profile) : null}::json, ${now}, ${now}, ${session.expiresAt})
    returning ${COLUMNS}`);
  return row as SessionRow;
}

export async function findSession(read: Read, id: string): Promise<SessionRow | undefined> {
  const [row] = await read.query<SessionRow>(
    sql.query`select ${COLUMNS} from registration_sessions where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** The values that a step stores in the session. */
export interface Learned {
  readonly deviceId?: string;
  readonly did?: string;
  readonly commitment?: string;
  readonly challengeNonce?: string;
  readonly userId?: string;
}

/** Moves a session to its next state; undefined if its state or its expiry does not allow that. */
export async function moveSession(
  w: Write,
  id: string,
  move: Move,
  learned: Learned,
  now: Date,
): Promise<SessionRow | undefined> {
  const inTime = move === 'expire' ? sql`expires_at <= ${now}` : sql`expires_at > ${now}`;
  const [row] =
    await w.mutate<SessionRow>(sql.mutation`update registration_sessions set state = ${moveTo(move)},
      device_id = coalesce(${learned.deviceId ?? null}, device_id), did = coalesce(${learned.did ?? null}, did),
      commitment = coalesce(${learned.commitment ?? null}, commitment),
      challenge_nonce = coalesce(${learned.challengeNonce ?? null}, challenge_nonce),
      user_id = coalesce(${learned.userId ?? null}, user_id), updated_at = ${now}
    where ${within(w.scope)} and id = ${id} and state = any(${[...MOVE_FROM[move]]}) and ${inTime}
    returning ${COLUMNS}`);
  return row;
}

/** The session that a step's code belongs to. */
export interface Opened {
  readonly code_hash: string;
  readonly tenant_id: string;
  readonly environment: 'live' | 'test';
  readonly session_id: string;
  readonly device_id: string | null;
}

const OPENED = sql`c.code_hash, s.tenant_id, s.environment, s.id as session_id, s.device_id`;

function opens(
  hashes: readonly string[],
  purpose: CodePurpose,
  move: Move,
  sessionId: string | undefined,
  now: Date,
): Sql {
  return join(
    [
      liveCode(hashes, purpose, now),
      sql`s.tenant_id = c.tenant_id and s.environment = c.environment and s.id = c.subject_id`,
      sql`s.state = any(${[...MOVE_FROM[move]]}) and s.expires_at > ${now}`,
      ...(sessionId === undefined ? [] : [sql`s.id::text = ${sessionId.toLowerCase()}`]),
    ],
    ' and ',
  );
}

/** A device in use with this fingerprint. The phone of an expired ceremony is not in use. */
const inUse = (fingerprint: string, now: Date): Sql => sql`select 1 from devices d
  where d.tenant_id = c.tenant_id and d.environment = c.environment and d.fingerprint = ${fingerprint}
    and d.enrollment_state <> 'revoked' and d.status <> 'retired'
    and not (d.enrollment_state = 'pending' and exists (select 1 from registration_sessions l
      where l.tenant_id = d.tenant_id and l.environment = d.environment and l.device_id = d.id and l.expires_at <= ${now}))`;

/** A session that a phone can join, and the account's name for the phone to display. */
export interface Pairable extends Opened {
  readonly company_name: string;
}

/** The only look-up of step 1, whether the code, session, tenant or fingerprint is wrong. A null fingerprint is malformed. */
export async function findPairing(
  db: Database,
  hashes: readonly string[],
  sessionId: string | undefined,
  fingerprint: string | null,
  now: Date,
): Promise<Pairable | undefined> {
  const [row] = await db.query<Pairable>(sql.query`select ${OPENED},
      (select company_name from tenants where id = s.tenant_id) as company_name
    from one_time_codes c, registration_sessions s
    where ${opens(hashes, 'pair', 'pair', sessionId, now)} and ${fingerprint !== null}::boolean
      and not exists (${inUse(fingerprint ?? '', now)})`);
  return row;
}

/** The only look-up of step 2. */
export async function findEnrolling(
  db: Database,
  hashes: readonly string[],
  sessionId: string | undefined,
  now: Date,
): Promise<Opened | undefined> {
  const [row] =
    await db.query<Opened>(sql.query`select ${OPENED} from one_time_codes c, registration_sessions s
    where ${opens(hashes, 'enroll', 'commit', sessionId, now)}`);
  return row;
}

/** A session that waits for its proof. */
export interface Provable extends Opened {
  readonly device_id: string;
  readonly did: string;
  readonly commitment: string;
  readonly challenge_nonce: string;
  readonly profile: Record<string, unknown> | null;
  readonly failures: number;
  /** Its phone is still pending, and its DID, commitment and externalId are unused. */
  readonly completable: boolean;
}

const MAX_ATTEMPTS = 5;

/**
 * The only look-up of step 3. It reserves one of a session's five attempts before the proof is verified, and checks every
 * other condition in the same statement, so every failure costs one statement. Undefined if no attempt is left.
 */
export async function reserveAttempt(
  w: UnauditedWrite<'registration attempts'>,
  hashes: readonly string[],
  sessionId: string | undefined,
  now: Date,
): Promise<Provable | undefined> {
  const [row] =
    await w.mutate<Provable>(sql.mutation`update registration_sessions s set failures = s.failures + 1
    from one_time_codes c
    where ${opens(hashes, 'verify', 'complete', sessionId, now)} and s.failures < ${MAX_ATTEMPTS}
    returning ${OPENED}, s.did, s.commitment, s.challenge_nonce, s.profile, s.failures,
      exists (select 1 from devices d where d.tenant_id = s.tenant_id and d.environment = s.environment
        and d.id = s.device_id and d.enrollment_state = 'pending' and d.status <> 'retired')
      and not exists (select 1 from identities i where i.tenant_id = s.tenant_id and i.environment = s.environment
        and (i.did = s.did or i.commitment = s.commitment))
      and not ${externalIdExists(sql`s.tenant_id`, sql`s.environment`, sql`s.profile ->> 'externalId'`)} as completable`);
  return row;
}

/**
 * Counts a reserved attempt as failed. True for the fifth failure. Only then is no other proof of the session being
 * verified. If an attempt never returns, for example because a node crashed, the session ends when it expires. The
 * statement also runs without a session, so an unknown code costs the same.
 */
export async function failAttempt(
  w: UnauditedWrite<'registration attempts'>,
  opened: Pick<Opened, 'tenant_id' | 'environment' | 'session_id'> | undefined,
): Promise<boolean> {
  const [row] = await w.mutate<{ failed_tries: number }>(sql.mutation`update registration_sessions
    set failed_tries = failed_tries + 1
    where tenant_id = ${opened?.tenant_id ?? null} and environment = ${opened?.environment ?? null}
      and id = ${opened?.session_id ?? null} and state = any(${[...MOVE_FROM.complete]})
    returning failed_tries`);
  return row !== undefined && row.failed_tries >= MAX_ATTEMPTS;
}

/** Returns an attempt whose proof could not be verified. */
export async function returnAttempt(
  w: UnauditedWrite<'registration attempts'>,
  { tenantId, environment }: Scope,
  id: string,
): Promise<void> {
  await w.mutate(sql.mutation`update registration_sessions set failures = greatest(0, failures - 1)
    where tenant_id = ${tenantId} and environment = ${environment} and id = ${id}`);
}

/** Expired sessions that are not closed yet. */
export function listExpired(
  db: Database,
  now: Date,
  count: number,
): Promise<(SessionRow & { tenant_id: string })[]> {
  return db.query(sql.query`select tenant_id, ${COLUMNS} from registration_sessions
    where state = any(${[...MOVE_FROM.expire]}) and expires_at <= ${now} order by expires_at limit ${count}`);
}

export function listSessions(
  read: Read,
  filter: { state?: State },
  count: number,
  before: string | undefined,
  now: Date,
): Promise<SessionRow[]> {
  const lapsed = sql`state = any(${[...MOVE_FROM.expire]}) and expires_at <= ${now}`;
  const conditions = [
    within(read.scope),
    ...(filter.state === 'expired' ? [sql`(state = 'expired' or (${lapsed}))`] : []),
    ...(filter.state && filter.state !== 'expired' ? [sql`state = ${filter.state} and not (${lapsed})`] : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<SessionRow>(
    sql.query`select ${COLUMNS} from registration_sessions where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}
