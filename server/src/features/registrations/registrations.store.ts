import type { Database } from '../../db/db.js';
import { join, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
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

/** The session that a step's code leads to. */
export interface Opened {
  readonly session_id: string;
  readonly device_id: string | null;
}

const OPENED = sql`t.id as session_id, t.device_id`;

/** The session of a code, and the one that the phone names, if it names one. */
export interface Opening {
  readonly id: string;
  readonly sessionId: string | undefined;
}

function opens(scope: Scope, { id, sessionId }: Opening, move: Move, now: Date): Sql {
  const named = sessionId?.toLowerCase() ?? null;
  return sql`${within(scope, 't')} and t.id = ${id} and t.state = any(${[...MOVE_FROM[move]]}) and t.expires_at > ${now}
    and (${named}::text is null or t.id::text = ${named})`;
}

/** A device in use with this fingerprint. The phone of an expired ceremony is not in use. */
const inUse = (
  { tenantId, environment }: Scope,
  fingerprint: string,
  now: Date,
): Sql => sql`select 1 from devices d
  where d.tenant_id = ${tenantId} and d.environment = ${environment} and d.fingerprint = ${fingerprint}
    and d.enrollment_state <> 'revoked' and d.status <> 'retired'
    and not (d.enrollment_state = 'pending' and exists (select 1 from registration_sessions l
      where l.tenant_id = ${tenantId} and l.environment = ${environment} and l.device_id = d.id and l.expires_at <= ${now}))`;

/** The only look-up of step 1 after the code's, whether the session or the fingerprint is wrong. A null fingerprint is malformed. */
export async function findPairing(
  read: Read,
  opening: Opening,
  fingerprint: string | null,
  now: Date,
): Promise<Opened | undefined> {
  const [row] = await read.query<Opened>(sql.query`select ${OPENED} from registration_sessions t
    where ${opens(read.scope, opening, 'pair', now)} and ${fingerprint !== null}::boolean
      and not exists (${inUse(read.scope, fingerprint ?? '', now)})`);
  return row;
}

/** The only look-up of step 2 after the code's. */
export async function findEnrolling(read: Read, opening: Opening, now: Date): Promise<Opened | undefined> {
  const [row] = await read.query<Opened>(sql.query`select ${OPENED} from registration_sessions t
    where ${opens(read.scope, opening, 'commit', now)}`);
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
 * The only look-up of step 3 after the code's. It reserves one of a session's five attempts before the proof is verified, and checks every
 * other condition in the same statement, so every failure costs one statement. Undefined if no attempt is left.
 */
export async function reserveAttempt(
  w: UnauditedWrite<'registration attempts'>,
  scope: Scope,
  opening: Opening,
  now: Date,
): Promise<Provable | undefined> {
  const { tenantId, environment } = scope;
  const [row] =
    await w.mutate<Provable>(sql.mutation`update registration_sessions t set failures = t.failures + 1
    where ${opens(scope, opening, 'complete', now)} and t.failures < ${MAX_ATTEMPTS}
    returning ${OPENED}, t.did, t.commitment, t.challenge_nonce, t.profile, t.failures,
      exists (select 1 from devices d where d.tenant_id = ${tenantId} and d.environment = ${environment}
        and d.id = t.device_id and d.enrollment_state = 'pending' and d.status <> 'retired')
      and not exists (select 1 from identities i where i.tenant_id = ${tenantId} and i.environment = ${environment}
        and (i.did = t.did or i.commitment = t.commitment))
      and not ${externalIdExists(scope, sql`t.profile ->> 'externalId'`)} as completable`);
  return row;
}

/**
 * Counts a reserved attempt as failed. True for the fifth failure. Only then is no other proof of the session being
 * verified. If an attempt never returns, for example because a node crashed, the session ends when it expires. The
 * statement also runs for a session that does not exist, so an unknown code costs the same.
 */
export async function failAttempt(
  w: UnauditedWrite<'registration attempts'>,
  { tenantId, environment }: Scope,
  id: string,
): Promise<boolean> {
  const [row] = await w.mutate<{ failed_tries: number }>(sql.mutation`update registration_sessions
    set failed_tries = failed_tries + 1
    where tenant_id = ${tenantId} and environment = ${environment} and id = ${id} and state = any(${[...MOVE_FROM.complete]})
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
