import { lowestIdAt } from '../../base/crypto/random.js';
import type { Database } from '../../db/db.js';
import { join, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { countOldRowsThat, type DeletedRows, firstOld, type OldRows } from '../../records/old-rows.js';
import { endedRecord } from '../../records/seals/ended-record.js';
import { removeText } from '../../records/seals/removing-text.js';
import { idsOfOwners } from '../accounts/accounts.js';
import { externalIdExists } from '../users/users.js';
import { ofPerson, type Person } from './of-person.js';
import { ENDED, MOVE_FROM, type Move, moveTo, type State } from './states.js';

export interface SessionRow {
  id: string;
  environment: 'live' | 'test';
  state: State;
  profile: Record<string, unknown> | null;
  device_id: string | null;
  did: string | null;
  commitment: string | null;
  /** The person that it is for, or that it created. */
  user_id: string | null;
  /** The person had an identity before, and the account protects identities: a valid proof opens a recovery. */
  recovers: boolean;
  /** Of a recovery: the identity that it puts in force. */
  identity_id: string | null;
  recovery_opened_at: Date | null;
  completes_at: Date | null;
  /** The policy asked for another member than the one who opened it, or reception asked for it. Until it is confirmed, it is held. */
  two_person: boolean;
  /** When an identity that was revoked before contested it. Until it is confirmed, it is held. */
  contested_at: Date | null;
  confirmed_at: Date | null;
  confirmed_by: readonly string[];
  /** Of a recovery: who was an owner when it was opened. Null if a node of the version before opened it. */
  owners: readonly string[] | null;
  /** The member who opened it. */
  opened_by: string | null;
  /** The enrolled device that opened it. */
  opened_by_device: string | null;
  /** When a phone last opened the first code. */
  phone_connected_at: Date | null;
  /** Attempts that were reserved and not returned, whatever their outcome. */
  failures: number;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

/** A node of the version before does not store it for what reception opened. */
export const TWO_PERSON: Sql = sql`(two_person or by_reception)`;

export const COLUMNS: Sql = sql`id, environment, state, profile, device_id, did, commitment, user_id, recovers, identity_id,
  recovery_opened_at, completes_at, ${TWO_PERSON} as two_person, contested_at, confirmed_at, confirmed_by, owners, failures, created_at, updated_at, expires_at,
  opened_by, opened_by_device, phone_connected_at`;

/** Never an open ceremony or a pending recovery. */
const HAS_ENDED = sql`state = any (${[...ENDED]}::text[])`;

/** Registrations that have ended, with what their seals are made of. */
export const sealedRegistrations = {
  kind: 'registration',
  table: sql`registration_sessions`,
  of: { list: COLUMNS, serialize: (row: SessionRow) => endedRecord('registration', row) },
  sealedAt: sql`updated_at`,
  ended: HAS_ENDED,
  textHash: sql`text_hash`,
} as const;

/** How somebody knows a name. */
export type NameHow = 'known' | 'document_seen' | 'list';

export interface NewSession {
  readonly id: string;
  readonly profile: Record<string, unknown> | null;
  /** The existing person that it is for. */
  readonly userId: string | null;
  readonly recovers: boolean;
  /** The member who opens it. Null for an API key. */
  readonly openedBy: string | null;
  /** The enrolled device that opens it. */
  readonly openedByDevice: string | null;
  /** Who opens it may do no more than reception may: a recovery waits for an owner, and an e-mail address is not confirmed. */
  readonly byReception: boolean;
  /** How the member who opens it knows the name of the new person. Null: they do not confirm it. */
  readonly nameHow: NameHow | null;
  readonly expiresAt: Date;
}

export async function insertSession(w: Write, session: NewSession, now: Date): Promise<SessionRow> {
  const { tenantId, environment } = w.scope;
  const [row] = await w.mutate<SessionRow>(sql.mutation`insert into registration_sessions
      (tenant_id, environment, id, state, profile, for_user_id, user_id, recovers, opened_by, opened_by_device, by_reception, name_how,
       created_at, updated_at, expires_at)
    values (${tenantId}, ${environment}, ${session.id}, 'awaiting_device',
      ${session.profile ? JSON.stringify(session.profile) : null}::json, ${session.userId}, ${session.userId},
      ${session.recovers}, ${session.openedBy}, ${session.openedByDevice}, ${session.byReception},
      ${session.nameHow}, ${now}, ${now}, ${session.expiresAt})
    returning ${COLUMNS}`);
  return row as SessionRow;
}

export async function findSession(read: Read, id: string): Promise<SessionRow | undefined> {
  const [row] = await read.query<SessionRow>(
    sql.query`select ${COLUMNS} from registration_sessions where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

/** Registrations by how far they came. */
export interface Steps {
  opened: number;
  scanned: number;
  committed: number;
  completed: number;
}

/**
 * How far the newest registrations since a moment came. One that was abandoned or expired counts in each step that it reached, which its
 * device and commitment show. The commitment of an erased person is gone, so a completed registration counts in every step.
 */
export async function countSteps(read: Read, since: number, limit: number): Promise<Steps> {
  const [row] = await read.query<Steps>(sql.query`
    select count(*) as opened, count(*) filter (where device_id is not null or state = 'completed') as scanned,
      count(*) filter (where commitment is not null or state = 'completed') as committed,
      count(*) filter (where state = 'completed') as completed
    from (select state, device_id, commitment from registration_sessions
      where ${within(read.scope)} and id >= ${lowestIdAt(since)} order by id desc limit ${limit}) as newest`);
  return row as Steps;
}

/** How many registrations were completed since a moment, of the newest that were opened since `opened`. */
export async function countCompleted(
  read: Read,
  { opened, since }: { readonly opened: number; readonly since: number },
  limit: number,
): Promise<number> {
  const [row] = await read.query<{ count: number }>(sql.query`
    select count(*) filter (where state = 'completed' and updated_at >= ${new Date(since)}) as count
    from (select state, updated_at from registration_sessions
      where ${within(read.scope)} and id >= ${lowestIdAt(opened)} order by id desc limit ${limit}) as newest`);
  return row?.count ?? 0;
}

/** What the account's policy says about more identities of a person. */
export interface Admission {
  readonly protects: boolean;
  readonly mostIdentities: number;
}

const identitiesOf = (
  { tenantId, environment }: Scope,
  condition: Sql,
): Sql => sql`(select count(*) from identities h
  where h.tenant_id = ${tenantId} and h.environment = ${environment} and h.user_id = t.for_user_id and ${condition})`;

/**
 * A condition: the person of session `t`, if it is for an existing one, may get an identity by it. The state of the person may have
 * changed since the session was opened: a second ceremony must not add an identity that only a recovery could.
 */
const admits = (
  scope: Scope,
  { protects, mostIdentities }: Admission,
): Sql => sql`(t.for_user_id is null or case when t.recovers
    then not exists (select 1 from registration_sessions o where o.tenant_id = ${scope.tenantId}
      and o.environment = ${scope.environment} and o.for_user_id = t.for_user_id and o.recovery_opened_at is not null
      and o.state = 'pending_recovery')
    else not ((${protects}::boolean or t.by_reception) and ${identitiesOf(scope, sql`h.in_force_at is distinct from 'infinity'`)} > 0)
      and ${identitiesOf(scope, sql`h.revoked_at is null`)} < ${mostIdentities} end)`;

/** The values that a step stores in the session. */
export interface Learned {
  readonly deviceId?: string;
  readonly did?: string;
  readonly commitment?: string;
  readonly challengeNonce?: string;
  readonly userId?: string;
}

/** Nobody has to confirm the recovery `t` any more. */
export const isFree: Sql = sql`(t.confirmed_at is not null or t.contested_at is null and not ${TWO_PERSON})`;

/** When a move is possible, besides the state that it starts from. */
function isTimeFor(move: Move, now: Date): Sql {
  if (move === 'expire') return sql`t.expires_at <= ${now}`;
  if (move === 'succeed') return sql`t.completes_at <= ${now} and ${isFree}`;
  // A recovery outlives the time of its ceremony.
  if (move === 'cancel') return sql`true`;
  return sql`t.expires_at > ${now}`;
}

/** Moves a session to its next state; undefined if its state or its time does not allow that. */
export async function moveSession(
  w: Write,
  id: string,
  move: Move,
  learned: Learned,
  now: Date,
): Promise<SessionRow | undefined> {
  const seal = ENDED.includes(moveTo(move)) ? w.seal('registration') : undefined;
  const [row] =
    await w.mutate<SessionRow>(sql.mutation`update registration_sessions t set state = ${moveTo(move)},
      device_id = coalesce(${learned.deviceId ?? null}, device_id), did = coalesce(${learned.did ?? null}, did),
      commitment = coalesce(${learned.commitment ?? null}, commitment),
      challenge_nonce = coalesce(${learned.challengeNonce ?? null}, challenge_nonce),
      user_id = coalesce(${learned.userId ?? null}, user_id), updated_at = ${now} ${seal ? sql`, ${seal.assignments}` : sql``}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = any(${[...MOVE_FROM[move]]}) and ${isTimeFor(move, now)}
    returning ${COLUMNS}`);
  if (row) seal?.place(endedRecord('registration', row));
  return row;
}

/** Another phone shows after this time. Reading the context again and again must not write each time. */
const RECONNECT_MS = 10_000;

/** Notes that a phone has opened the code. False if a phone did so a moment ago, or has taken it. */
export async function notePhone(
  w: UnauditedWrite<'opened registrations'>,
  scope: Scope,
  id: string,
  now: Date,
): Promise<boolean> {
  const before = new Date(now.getTime() - RECONNECT_MS);
  const rows = await w.mutate(sql.mutation`update registration_sessions set phone_connected_at = ${now}
    where ${within(scope)} and id = ${id} and state = 'awaiting_device' and expires_at > ${now}
      and (phone_connected_at is null or phone_connected_at <= ${before}) returning 1 as done`);
  return rows.length > 0;
}

/** A valid proof ends the ceremony. False if it has ended, or its person may not get an identity by it any more. */
export async function completeSession(
  w: Write,
  id: string,
  userId: string,
  admission: Admission,
  now: Date,
): Promise<boolean> {
  const seal = w.seal('registration');
  const [row] =
    await w.mutate(sql.mutation`update registration_sessions t set state = 'completed', user_id = ${userId},
      updated_at = ${now}, ${seal.assignments}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = any(${[...MOVE_FROM.complete]}) and not t.recovers
      and ${isTimeFor('complete', now)} and ${admits(w.scope, admission)}
    returning ${COLUMNS}`);
  if (row) seal.place(endedRecord('registration', row));
  return row !== undefined;
}

/**
 * A valid proof opens a recovery, which remembers the owners of that moment. Nobody knows who uses an API key, so one that a key opened needs
 * two owners where the policy asks for another than who opened it, and so does one that reception asked for, which needs one in any case.
 * False as in `completeSession`; a person has one pending recovery.
 */
export async function openRecovery(
  w: Write,
  id: string,
  recovery: { readonly identityId: string; readonly completesAt: Date; readonly twoPerson: boolean },
  admission: Admission,
  now: Date,
): Promise<boolean> {
  const rows =
    await w.mutate(sql.mutation`update registration_sessions t set state = 'pending_recovery', updated_at = ${now},
      recovery_opened_at = ${now}, identity_id = ${recovery.identityId}, completes_at = ${recovery.completesAt},
      two_person = ${recovery.twoPerson} or by_reception,
      confirmations_needed = case when not ${recovery.twoPerson}::boolean then by_reception::integer
        when opened_by is null or by_reception then 2 else 1 end,
      owners = ${idsOfOwners(w.scope.tenantId)}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = any(${[...MOVE_FROM.recover]}) and t.recovers
      and ${isTimeFor('recover', now)} and ${admits(w.scope, admission)}
    returning t.id`);
  return rows.length > 0;
}

/**
 * How many people were owners when the recovery `t` was opened. One of a node of the version before has no list: those who were members
 * by then, and are owners now.
 */
const ownersThen = (tenantId: string): Sql => sql`coalesce(t.owners, array(select m.id from members m
  where m.tenant_id = ${tenantId} and m.id = any(${idsOfOwners(tenantId)}) and m.joined_at <= t.recovery_opened_at))`;

/**
 * Holds a pending recovery until members confirm it: two if the account had two owners when it was opened. What was confirmed before does
 * not count. One that was contested before stays as it is. Undefined if the recovery has ended.
 */
export async function holdRecovery(w: Write, id: string, now: Date): Promise<SessionRow | undefined> {
  const first = (value: Sql, otherwise: Sql) =>
    sql`case when contested_at is null then ${value} else ${otherwise} end`;
  const needed = sql`greatest(confirmations_needed, least(2, greatest(1, cardinality(${ownersThen(w.scope.tenantId)}))))`;
  const [row] = await w.mutate<SessionRow>(sql.mutation`update registration_sessions t
    set contested_at = coalesce(contested_at, ${now}), updated_at = ${now},
      confirmations_needed = ${first(needed, sql`confirmations_needed`)},
      confirmed_by = ${first(sql`'{}'`, sql`confirmed_by`)}, confirmed_at = ${first(sql`null`, sql`confirmed_at`)}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = 'pending_recovery' returning ${COLUMNS}`);
  return row;
}

/** How many confirmations the recovery `t` needs once it is held. A node of the version before stored 0 for one that a key opened. */
const NEEDED = sql`greatest(t.confirmations_needed, case when t.two_person and t.opened_by is null then 2 else 1 end)`;

/** Whether somebody may confirm the recovery `t`: an API key (null), or a member. */
function mayConfirm(tenantId: string, memberId: string | null): Sql {
  const isAlone = sql`${NEEDED} = 1`;
  if (memberId === null) return sql`(${isAlone} and not ${TWO_PERSON})`;
  return sql`(${memberId}::uuid = any(${ownersThen(tenantId)})
    and not (${isAlone} and t.two_person and not t.by_reception and t.opened_by is not distinct from ${memberId}::uuid))`;
}

/** Whether somebody may confirm this recovery. */
export async function mayConfirmRecovery(read: Read, id: string, memberId: string | null): Promise<boolean> {
  const [row] = await read.query<{
    may: boolean;
  }>(sql.query`select ${mayConfirm(read.scope.tenantId, memberId)} as may
    from registration_sessions t where ${within(read.scope, 't')} and t.id = ${id}`);
  return row?.may ?? false;
}

/**
 * A member, or an API key (null), confirms a held recovery. It is confirmed if enough members did who were owners when it was opened and are
 * owners now. Undefined if that changes nothing: it is not held, this member may not confirm it, or has confirmed it and others are still
 * needed.
 */
export async function confirmRecovery(
  w: Write,
  id: string,
  memberId: string | null,
  now: Date,
): Promise<SessionRow | undefined> {
  const { tenantId } = w.scope;
  const others = sql`(select count(*) from members m where m.tenant_id = ${tenantId} and m.id = any(t.confirmed_by)
    and m.id = any(${ownersThen(tenantId)})
    and m.id is distinct from ${memberId}::uuid and m.role = 'owner' and m.status = 'active')`;
  const isEnough = sql`(${others} + 1 >= ${NEEDED})`;
  const [row] = await w.mutate<SessionRow>(sql.mutation`update registration_sessions t
    set confirmed_by = case when ${memberId}::uuid is null or ${memberId}::uuid = any(t.confirmed_by) then t.confirmed_by
        else array_append(t.confirmed_by, ${memberId}::uuid) end,
      confirmed_at = case when ${isEnough} then ${now}::timestamptz end, updated_at = ${now}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = 'pending_recovery' and not ${isFree}
      and ${mayConfirm(tenantId, memberId)}
      and (${memberId}::uuid is null or not ${memberId}::uuid = any(t.confirmed_by) or ${isEnough}) returning ${COLUMNS}`);
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

/** A condition: the enrolled device that opened session `t`, if one did, may still act. */
const hasItsOpener = ({ tenantId, environment }: Scope): Sql => sql`(t.opened_by_device is null
  or exists (select 1 from devices k where k.tenant_id = ${tenantId} and k.environment = ${environment}
    and k.id = t.opened_by_device and k.enrollment_state = 'enrolled' and k.status = 'active'))`;

export function opens(scope: Scope, { id, sessionId }: Opening, move: Move, now: Date): Sql {
  const named = sessionId?.toLowerCase() ?? null;
  return sql`${within(scope, 't')} and t.id = ${id} and t.state = any(${[...MOVE_FROM[move]]}) and t.expires_at > ${now}
    and (${named}::text is null or t.id::text = ${named}) and ${hasItsOpener(scope)}`;
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
  readonly for_user_id: string | null;
  readonly recovers: boolean;
  readonly opened_by_device: string | null;
  readonly by_reception: boolean;
  readonly opened_by: string | null;
  /** How the member who opened it knows the name. Null: nobody has confirmed it. */
  readonly name_how: NameHow | null;
  readonly created_at: Date;
  readonly failures: number;
  /** Its phone is still pending, its DID, commitment and externalId are unused, and its person may get an identity. */
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
  admission: Admission,
  now: Date,
): Promise<Provable | undefined> {
  const { tenantId, environment } = scope;
  const [row] =
    await w.mutate<Provable>(sql.mutation`update registration_sessions t set failures = t.failures + 1
    where ${opens(scope, opening, 'complete', now)} and t.failures < ${MAX_ATTEMPTS}
    returning ${OPENED}, t.did, t.commitment, t.challenge_nonce, t.profile, t.for_user_id, t.recovers, t.opened_by_device,
      t.by_reception, t.opened_by, t.name_how, t.created_at, t.failures,
      exists (select 1 from devices d where d.tenant_id = ${tenantId} and d.environment = ${environment}
        and d.id = t.device_id and d.enrollment_state = 'pending' and d.status <> 'retired')
      and not exists (select 1 from identities i where i.tenant_id = ${tenantId} and i.environment = ${environment}
        and (i.did = t.did or i.commitment = t.commitment))
      and not exists (select 1 from identity_commitments c where c.tenant_id = ${tenantId} and c.environment = ${environment}
        and c.commitment = t.commitment)
      and not ${externalIdExists(scope, sql`t.profile ->> 'externalId'`)} and ${admits(scope, admission)} as completable`);
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

/** Ceremonies that have not ended, and pending recoveries. Expired ones are closed by the job. */
export const listOpen = (read: Read, count: number, now: Date): Promise<Pick<SessionRow, 'id' | 'state'>[]> =>
  read.query(sql.query`select id, state from registration_sessions where ${within(read.scope)}
    and (state = 'pending_recovery' or (state = any(${[...MOVE_FROM.expire]}) and expires_at > ${now})) limit ${count}`);

export function listSessions(
  read: Read,
  filter: { readonly state?: State; readonly userId?: string; readonly deviceId?: string },
  count: number,
  before: string | undefined,
  now: Date,
): Promise<SessionRow[]> {
  const lapsed = sql`state = any(${[...MOVE_FROM.expire]}) and expires_at <= ${now}`;
  const conditions = [
    within(read.scope),
    ...(filter.state === 'expired' ? [sql`(state = 'expired' or (${lapsed}))`] : []),
    ...(filter.state && filter.state !== 'expired' ? [sql`state = ${filter.state} and not (${lapsed})`] : []),
    ...(filter.userId ? [sql`user_id = ${filter.userId}`] : []),
    ...(filter.deviceId
      ? [sql`(device_id = ${filter.deviceId} or opened_by_device = ${filter.deviceId})`]
      : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<SessionRow>(
    sql.query`select ${COLUMNS} from registration_sessions where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

/** The registrations of a person. */
export const listOfPerson = (
  read: Read,
  person: Person,
): Promise<Pick<SessionRow, 'id' | 'state' | 'device_id' | 'expires_at'>[]> =>
  read.query(sql.query`select id, state, device_id, expires_at from registration_sessions t
    where ${within(read.scope, 't')} and ${ofPerson(sql`t`, person)}`);

/** Removes what these registrations say. */
export async function eraseRegistrations(w: Write, ids: readonly string[]): Promise<void> {
  await removeText(w, {
    ...sealedRegistrations,
    found: sql`id = any(${ids}::uuid[]) and (profile is not null or did is not null or commitment is not null)`,
    clear: (
      removed,
    ) => sql.mutation`update registration_sessions t set profile = null, did = null, commitment = null,
        challenge_nonce = null, text_salt = null, text_hash = removed.hash
      from ${removed} where ${within(w.scope, 't')} and t.id = removed.id`,
  });
}

/** Deletes the first of the old ceremonies that have ended. */
export async function deleteOld(w: Write, old: OldRows): Promise<DeletedRows> {
  const [row] = await w.mutate<DeletedRows>(sql.mutation`with deleted as (
      delete from registration_sessions where ${within(w.scope)} and id = any (${firstOld(w.scope, sql`registration_sessions`, old, HAS_ENDED)}) returning id)
    select count(*) as count, max(id::text) as last from deleted`);
  return row as DeletedRows;
}

export async function countOld(read: Read, before: Date, limit: number): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    countOldRowsThat(read.scope, sql`registration_sessions`, before, limit, HAS_ENDED),
  );
  return row?.count ?? 0;
}
