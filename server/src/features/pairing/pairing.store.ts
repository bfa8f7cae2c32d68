import { lowestIdAt } from '../../base/crypto/random.js';
import type { ErrorCode } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { join, type Mutation, type Query, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { NewSeal } from '../../ledger/record-seal.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { isInForce } from '../../records/in-force.js';
import { CLOCKS_DIFFER_MS } from '../../records/old-rows.js';
import { inRange, type TimeRange } from '../../records/order.js';
import { endedRecord } from '../../records/seals/ended-record.js';
import { type BrowserKey, isKnownTo, type Jwk } from '../browsers/browsers.js';
import type { Spend } from '../proofs/proofs.js';
import type { AskedFrom } from './asked-from.js';

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
  /** `proved`: a proof was valid, and the session waits until the phone is beside the browser. */
  state: 'issued' | 'proved' | 'bound' | 'declined' | 'rejected';
  expires_at: Date;
  /** Of the number that the desktop shows. Null if none is asked for. */
  match_hash: string | null;
  rotates: boolean;
  context: AskedFrom | null;
  /** Null if the session is not for the same device. */
  return_url: string | null;
  /** The browser has exchanged the return code for its tokens. */
  redeemed_at: Date | null;
  error_count: number;
  errors: ErrorCode[];
  bound_at: Date | null;
  user_id: string | null;
  did: string | null;
  purpose: 'sign_in' | 'oidc';
  /** SHA-256 of the sign-in of the OpenID Provider that the session belongs to. */
  interaction_hash: string | null;
  identity_id: string | null;
  /** The key of the browser that opened the session, if it has one. */
  browser_key: Jwk | null;
  browser_thumbprint: string | null;
  proved_at: Date | null;
  /** When a phone last read the context with a fresh scan. */
  phone_connected_at: Date | null;
  /** When the phone was beside the browser. */
  nearby_at: Date | null;
  /** The enrolled device that opened it. */
  opened_by_device: string | null;
  /** That device may no longer act. */
  device_ended: boolean;
  desktop_session_id: string | null;
  /** Also null if the desktop's session has ended or its refresh token was used. */
  desktop_refresh_sealed: string | null;
}

/** The fields of a pairing that are sealed when it ends, by their names. Its time of expiry is not: a restore of the database changes it. */
const SEALED = sql`id, environment, state, purpose, case when match_hash is null then 'off' else 'type' end as match,
  context ->> 'clientId' as "clientId", context ->> 'origin' as origin, context ->> 'application' as application,
  opened_by_device as "deviceId", created_at as "createdAt", bound_at as "boundAt", nearby_at as "nearbyAt", user_id as "userId", did,
  identity_id as "identityId", verification_id as "verificationId"`;

/** Pairings that have ended otherwise than by time, with what their seals are made of. */
export const sealedPairings = {
  kind: 'pairing',
  table: sql`proof_pairing_sessions`,
  of: { list: SEALED, serialize: (row: object) => endedRecord('pairing', row) },
  sealedAt: sql`sealed_at`,
  ended: sql`state not in ('issued', 'proved')`,
  textHash: sql`null`,
} as const;

/** Whether a session in this state expires with time alone. */
export const isOpen = (state: string): boolean => state === 'issued' || state === 'proved';

const inForce = ({ tenantId, environment }: Scope): Sql => sql`exists (select 1 from sessions s
    join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = s.identity_id
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = s.user_id
    join refresh_tokens r on r.tenant_id = ${tenantId} and r.environment = ${environment} and r.session_id = s.id
    where s.tenant_id = ${tenantId} and s.environment = ${environment} and s.id = t.desktop_session_id
      and s.revoked_at is null and i.revoked_at is null and u.status = 'active'
      and r.token_hash = t.desktop_refresh_hash and r.used_at is null)`;

/** A condition: the enrolled device that opened session `t`, if one did, may still act. */
const hasItsDevice = ({ tenantId, environment }: Scope): Sql => sql`(t.opened_by_device is null
  or exists (select 1 from devices d where d.tenant_id = ${tenantId} and d.environment = ${environment}
    and d.id = t.opened_by_device and d.enrollment_state = 'enrolled' and d.status = 'active'))`;

const columns = (
  scope: Scope,
): Sql => sql`t.id, t.created_at, t.nonce, t.bind_hash, t.state, t.expires_at, t.error_count, t.errors,
  t.match_hash, t.rotates, t.context, t.return_url, t.redeemed_at, t.bound_at, t.user_id, t.did, t.purpose, t.interaction_hash,
  t.identity_id, t.browser_key, t.browser_thumbprint, t.proved_at, t.nearby_at, t.phone_connected_at, t.opened_by_device,
  not ${hasItsDevice(scope)} as device_ended, t.desktop_session_id,
  case when ${inForce(scope)} then t.desktop_refresh_sealed end as desktop_refresh_sealed`;

/** What a list shows of a session. The other columns would look up the device and the desktop's session of each. */
export type ListedPairing = Pick<
  PairingRow,
  | 'id'
  | 'created_at'
  | 'state'
  | 'expires_at'
  | 'match_hash'
  | 'context'
  | 'opened_by_device'
  | 'bound_at'
  | 'user_id'
  | 'did'
>;

export interface NewPairing {
  readonly id: string;
  readonly nonce: string;
  readonly bindHash: string;
  readonly expiresAt: Date;
  readonly matchHash: string | null;
  readonly rotates: boolean;
  readonly context: AskedFrom;
  readonly returnUrl: string | null;
  /** Null: not for the OpenID Provider. */
  readonly interactionHash: string | null;
  readonly browser: BrowserKey | undefined;
  /** Null: no enrolled device. */
  readonly openedByDevice: string | null;
}

export async function insertPairing(w: Write, pairing: NewPairing, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into proof_pairing_sessions (tenant_id, environment, id, nonce, bind_hash, created_at, expires_at,
      match_hash, rotates, context, return_url, purpose, interaction_hash,
      browser_key, browser_thumbprint, opened_by_device)
    values (${tenantId}, ${environment}, ${pairing.id}, ${pairing.nonce}, ${pairing.bindHash}, ${now}, ${pairing.expiresAt},
      ${pairing.matchHash}, ${pairing.rotates}, ${JSON.stringify(pairing.context)}::jsonb, ${pairing.returnUrl},
      ${pairing.interactionHash === null ? 'sign_in' : 'oidc'}, ${pairing.interactionHash},
      ${pairing.browser ? JSON.stringify(pairing.browser.jwk) : null}::jsonb, ${pairing.browser?.thumbprint ?? null},
      ${pairing.openedByDevice})`);
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

export type PairingState = PairingRow['state'] | 'expired';

export interface PairingSearch extends TimeRange {
  readonly id?: string;
  /** Any of them. */
  readonly states?: readonly PairingState[];
  /** Who approved. */
  readonly userId?: string;
  /** The device that opened it. */
  readonly deviceId?: string;
}

function isIn(state: PairingState, now: Date): Sql {
  if (state === 'expired') return sql`t.state in ('issued', 'proved') and t.expires_at <= ${now}`;
  return isOpen(state) ? sql`t.state = ${state} and t.expires_at > ${now}` : sql`t.state = ${state}`;
}

/** Newest first. */
export async function listPairings(
  read: Read,
  { id, states, userId, deviceId, ...range }: PairingSearch,
  count: number,
  before: string | undefined,
  now: Date,
): Promise<ListedPairing[]> {
  const conditions = [
    within(read.scope, 't'),
    ...(id ? [sql`t.id = ${id}`] : []),
    ...(userId ? [sql`t.user_id = ${userId}`] : []),
    ...(deviceId ? [sql`t.opened_by_device = ${deviceId}`] : []),
    ...createdIn(range),
    ...(before === undefined ? [] : [sql`t.id < ${before}`]),
    ...(states
      ? [
          sql`(${join(
            states.map((state) => isIn(state, now)),
            ' or ',
          )})`,
        ]
      : []),
  ];
  return read.query<ListedPairing>(sql.query`select t.id, t.created_at, t.state, t.expires_at, t.match_hash, t.context,
      t.opened_by_device, t.bound_at, t.user_id, t.did
    from proof_pairing_sessions t where ${join(conditions, ' and ')} order by t.id desc limit ${count}`);
}

/** A range of days. The ids, which are in the order of time, bound what is read. */
const createdIn = (range: TimeRange): Sql[] => [
  ...inRange(sql`t.created_at`, range),
  ...(range.from ? [sql`t.id >= ${lowestIdAt(Date.parse(range.from) - CLOCKS_DIFFER_MS)}::uuid`] : []),
  ...(range.to ? [sql`t.id < ${lowestIdAt(Date.parse(range.to) + CLOCKS_DIFFER_MS)}::uuid`] : []),
];

/** The public state of a session that was not declined or rejected, for active accounts only. A valid proof alone does not show. */
export async function findPublic(
  db: Database,
  id: string,
  now: Date,
): Promise<Pick<PairingRow, 'id' | 'state' | 'expires_at'> | undefined> {
  const [row] = await db.query<Pick<PairingRow, 'id' | 'state' | 'expires_at'>>(sql.query`
    select t.id, case t.state when 'proved' then 'issued' else t.state end as state, t.expires_at
    from proof_pairing_sessions t join tenants a on a.id = t.tenant_id
    where t.id = ${id} and t.expires_at > ${now} and t.state in ('issued', 'proved', 'bound') and a.status = 'active'`);
  return row;
}

/** Whose session this is, for a phone that has no API key. */
export async function findScope(db: Database, id: string): Promise<Scope | undefined> {
  const [row] = await db.query<{ tenant_id: string; environment: Scope['environment'] }>(
    sql.query`select tenant_id, environment from proof_pairing_sessions where id = ${id}`,
  );
  return row && { tenantId: row.tenant_id, environment: row.environment };
}

/** Waits for a concurrent submit. This is a separate statement, so the statements after it see the outcome. */
export async function lockPairing(
  w: Write,
  id: string,
): Promise<Pick<PairingRow, 'state' | 'expires_at' | 'error_count'> | undefined> {
  const [row] = await w.query<Pick<PairingRow, 'state' | 'expires_at' | 'error_count'>>(
    sql.query`select state, expires_at, error_count from proof_pairing_sessions
      where ${within(w.scope)} and id = ${id} for update`,
  );
  return row;
}

export interface Bind {
  readonly id: string;
  readonly did: string;
  /** Of the proof. */
  readonly commitment: string;
  /** False: the person typed a wrong number, so the session is rejected instead. */
  readonly numberIsRight: boolean;
  readonly verificationId: string;
  /** Undefined for a session of the OpenID Provider. */
  readonly desktop:
    | { readonly id: string; readonly refreshHash: string; readonly refreshSealed: string }
    | undefined;
  /** For a session on the same device. */
  readonly returns: { readonly hash: string; readonly expiresAt: Date } | undefined;
  /** What a browser needs that is not known to the person. Undefined if it needs nothing more than the proof. */
  readonly nearby: NearbyNeed | undefined;
  /** The policy may ask for more by now, in a way that ends no open session. */
  readonly isUnlessNearby: boolean;
}

export interface NearbyNeed {
  readonly thumbprint: string;
  /** An SQL condition: the phone of this identity can show that it is beside the browser. */
  readonly isPossible: (identityId: Sql) => Sql;
  /** What is recorded later. */
  readonly metadata: Record<string, unknown>;
}

/**
 * Binds an open session to the candidate of a verification, lets it wait until the phone is beside the browser, or ends it. Of concurrent
 * verifications, only one does any of these.
 */
export function spendPairing(w: Write, bind: Bind, now: Date): Spend {
  const { scope } = w;
  const { id, verificationId, nearby } = bind;
  const seal = w.seal('pairing');
  const isThis = sql`${within(scope, 't')} and t.id = ${id} and t.verification_id = ${verificationId}::uuid`;
  return {
    statement: (candidate) =>
      bind.numberIsRight && nearby !== undefined
        ? bindIfKnown(scope, bind, nearby, { candidate, seal }, now)
        : sql.mutation`update proof_pairing_sessions t
            set verification_id = ${verificationId}, ${bind.numberIsRight ? boundBy(bind, now) : sql`state = 'rejected'`},
              ${seal.assignments}, sealed_at = ${now}
            from (${candidate}) as ${CANDIDATE}
            where ${within(scope, 't')} and t.id = ${id} and t.state = 'issued' and t.expires_at > ${now}
              and ${hasItsDevice(scope)} ${bind.isUnlessNearby ? sql`and ${asksNoNearby(scope)}` : sql``}
            returning t.state = 'bound' as won, ${SEALED}`,
    returned: (row) => sealEnded(seal, row),
    spent: sql`select t.tenant_id, t.environment from proof_pairing_sessions t where ${isThis} and t.state = 'bound'`,
    ...(nearby && {
      waits: sql`select 1 from proof_pairing_sessions t where ${isThis} and t.state = 'proved'`,
    }),
    lost: sql`(select case
        when t.verification_id = ${verificationId}::uuid then 'wrong_number'
        when t.expires_at <= ${now} or t.state = 'issued' and not ${hasItsDevice(scope)} then 'expired'
        when t.state = 'issued' then 'new_browser'
        when t.state = 'declined' then 'declined'
        else 'closed' end from proof_pairing_sessions t where ${within(scope, 't')} and t.id = ${id})`,
  };
}

const asksNoNearby = ({
  tenantId,
}: Scope): Sql => sql`exists (select 1 from tenants a where a.id = ${tenantId}
  and a.security_policy ->> 'new_browser' is distinct from 'nearby_or_same_device')`;

/** A candidate under names that are no columns of a session, so that a statement can return those. */
const CANDIDATE = sql`candidate (candidate_tenant, candidate_environment, candidate_identity, candidate_user)`;

/** Seals a session as a statement returned it, unless it waits. */
function sealEnded(seal: NewSeal, row: { readonly state?: string }): void {
  if (row.state !== undefined && !isOpen(row.state)) seal.place(endedRecord('pairing', row));
}

const boundBy = (
  { did, commitment, desktop, returns }: Bind,
  now: Date,
): Sql => sql`state = 'bound', bound_at = ${now},
  did = ${did}, proved_commitment = ${commitment}, user_id = candidate_user, identity_id = candidate_identity,
  desktop_session_id = ${desktop?.id ?? null}, desktop_refresh_hash = ${desktop?.refreshHash ?? null},
  desktop_refresh_sealed = ${desktop?.refreshSealed ?? null}, return_hash = ${returns?.hash ?? null},
  return_expires_at = ${returns?.expiresAt ?? null}`;

/** Such a session has no desktop's tokens and no return code, so nothing else is stored. */
function bindIfKnown(
  scope: Scope,
  { id, did, commitment, verificationId }: Bind,
  { thumbprint, isPossible, metadata }: NearbyNeed,
  { candidate, seal }: { readonly candidate: Sql; readonly seal: NewSeal },
  now: Date,
): Mutation {
  const known = isKnownTo(scope, { userId: sql`c.user_id`, thumbprint: sql`${thumbprint}` }, now);
  const unless = (value: Sql) => sql`case when not candidate.known then ${value} end`;
  return sql.mutation`update proof_pairing_sessions t
    set verification_id = ${verificationId}, state = case when candidate.known then 'bound' else 'proved' end,
      bound_at = case when candidate.known then ${now}::timestamptz end, did = ${did}, user_id = candidate_user,
      identity_id = candidate_identity, proved_at = ${unless(sql`${now}::timestamptz`)},
      proved_commitment = ${commitment},
      proved_metadata = ${unless(sql`${JSON.stringify(metadata)}::jsonb`)},
      ${seal.assignmentsIf(sql`candidate.known`)}, sealed_at = case when candidate.known then ${now}::timestamptz end
    from (select c.id as candidate_identity, c.user_id as candidate_user, ${known} as known, ${isPossible(sql`c.id`)} as possible from (${candidate}) as c) as candidate
    where ${within(scope, 't')} and t.id = ${id} and t.state = 'issued' and t.expires_at > ${now}
      and (candidate.known or candidate.possible)
    returning t.state = 'bound' as won, t.state = 'proved' as waits, ${SEALED}`;
}

export interface Proved {
  readonly id: string;
  readonly commitment: string;
  readonly thumbprint: string;
  readonly verificationId: string;
}

/** Binds a session that waits to its own candidate. Of concurrent requests, only one does. */
export function spendProved(w: Write, proved: Proved, now: Date): Spend {
  const { scope } = w;
  const seal = w.seal('pairing');
  const { id, commitment, thumbprint, verificationId } = proved;
  return {
    statement: (candidate) => sql.mutation`update proof_pairing_sessions t
      set verification_id = ${verificationId}, state = 'bound', bound_at = ${now}, nearby_at = ${now},
        ${seal.assignments}, sealed_at = ${now}
      from (${candidate}) as ${CANDIDATE}
      where ${within(scope, 't')} and t.id = ${id} and t.state = 'proved' and t.expires_at > ${now}
        and t.identity_id = candidate_identity and t.user_id = candidate_user
        and t.proved_commitment = ${commitment} and t.browser_thumbprint = ${thumbprint}
      returning true as won, ${SEALED}`,
    returned: (row) => sealEnded(seal, row),
    spent: sql`select t.tenant_id, t.environment from proof_pairing_sessions t
      where ${within(scope, 't')} and t.id = ${id} and t.verification_id = ${verificationId}::uuid and t.state = 'bound'`,
    lost: sql`(select case
        when t.expires_at <= ${now} then 'expired'
        when t.state = 'declined' then 'declined'
        else 'closed' end from proof_pairing_sessions t where ${within(scope, 't')} and t.id = ${id})`,
  };
}

/** What the proof of a session that waits has shown. */
export async function findProved(
  read: Read,
  id: string,
): Promise<{ commitment: string; metadata: Record<string, unknown> } | undefined> {
  const [row] = await read.query<{ commitment: string; metadata: Record<string, unknown> }>(
    sql.query`select proved_commitment as commitment, proved_metadata as metadata from proof_pairing_sessions
      where ${within(read.scope)} and id = ${id} and state = 'proved'`,
  );
  return row;
}

/** Another phone shows after this time. Reading the context again and again must not write each time. */
const RECONNECT_MS = 10_000;

/** Notes that a phone has opened the code. False if the session has ended, or a phone did so a moment ago. */
export async function notePhone(
  w: UnauditedWrite<'connected phones'>,
  scope: Scope,
  id: string,
  now: Date,
): Promise<boolean> {
  const before = new Date(now.getTime() - RECONNECT_MS);
  const rows = await w.mutate(sql.mutation`update proof_pairing_sessions set phone_connected_at = ${now}
    where ${within(scope)} and id = ${id} and state = 'issued' and expires_at > ${now}
      and (phone_connected_at is null or phone_connected_at <= ${before}) returning 1 as done`);
  return rows.length > 0;
}

/** Ends an open session. False if it is no longer open. */
export async function declinePairing(w: Write, id: string, now: Date): Promise<boolean> {
  const seal = w.seal('pairing');
  const [row] =
    await w.mutate(sql.mutation`update proof_pairing_sessions set state = 'declined', ${seal.assignments}, sealed_at = ${now}
    where ${within(w.scope)} and id = ${id} and state in ('issued', 'proved') and expires_at > ${now} returning ${SEALED}`);
  if (row) sealEnded(seal, row);
  return row !== undefined;
}

/** Ends an open session without a result: from then on it is expired. False if it is no longer open. */
export async function cancelPairing(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update proof_pairing_sessions set expires_at = created_at
    where ${within(w.scope)} and id = ${id} and state = 'issued' and expires_at > ${now} returning 1`);
  return rows.length > 0;
}

/** Spends the return code of a bound session. Of concurrent requests, only one does. */
export async function redeemPairing(w: Write, id: string, hash: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update proof_pairing_sessions set redeemed_at = ${now}
    where ${within(w.scope)} and id = ${id} and state = 'bound' and return_hash = ${hash} and return_expires_at > ${now}
      and expires_at > ${now} and redeemed_at is null returning 1`);
  return rows.length > 0;
}

/** Who approved a sign-in, and with which secret. */
export interface Approver {
  user_id: string;
  identity_id: string;
  commitment: string;
}

/** A condition: identity `i` approved session `t`, and has the secret of then. A node of the version before stores none. */
const approved = ({
  tenantId,
  environment,
}: Scope): Sql => sql`(i.tenant_id = ${tenantId} and i.environment = ${environment}
  and i.id = t.identity_id and i.commitment = coalesce(t.proved_commitment, i.commitment))`;

/**
 * Completes the sign-in of a bound session of the OpenID Provider. Of concurrent requests, only one does. Returns who approved;
 * undefined if the session is not of this sign-in, is not bound, was used, or wants another return code, or if the identity was revoked or
 * its secret changed since then.
 */
export async function completePairing(
  w: Write,
  id: string,
  interactionHash: string,
  returnHash: string | null,
  now: Date,
): Promise<Approver | undefined> {
  const [row] = await w.mutate<Approver>(sql.mutation`update proof_pairing_sessions t set redeemed_at = ${now}
    from identities i
    where ${within(w.scope, 't')} and t.id = ${id} and t.purpose = 'oidc' and t.interaction_hash = ${interactionHash} and t.state = 'bound'
      and t.redeemed_at is null and t.expires_at > ${now}
      and (t.return_url is null or (t.return_hash = ${returnHash}::text and t.return_expires_at > ${now}))
      and ${approved(w.scope)} and ${isInForce(sql`i`, now)}
    returning t.user_id, t.identity_id, i.commitment`);
  return row;
}

/** Who approved a sign-in of the OpenID Provider, once it was completed. Undefined if their secret changed since then. */
export async function findApproval(
  read: Read,
  id: string,
): Promise<{ user_id: string; identity_id: string; verification_id: string } | undefined> {
  const [row] = await read.query<{ user_id: string; identity_id: string; verification_id: string }>(
    sql.query`select t.user_id, t.identity_id, t.verification_id from proof_pairing_sessions t join identities i on ${approved(read.scope)}
      where ${within(read.scope, 't')} and t.id = ${id} and t.purpose = 'oidc' and t.redeemed_at is not null`,
  );
  return row;
}

/** The least that a policy asks of every session. */
export interface Least {
  readonly match: boolean;
  readonly sameDevice: boolean;
  readonly newBrowser: NonNullable<SecurityPolicy['new_browser']>;
}

/**
 * Ends the open sessions of both environments that ask for less than the policy now does. Returns their ids. Their time of expiry
 * comes before every submit that has begun. A session that is being submitted is skipped: the write has not locked the chain of the
 * other environment, so it must not wait for its rows (docs/adr/0014-lock-order.md).
 */
export async function expireWeaker(
  w: Write,
  { match, sameDevice, newBrowser }: Least,
  now: Date,
): Promise<string[]> {
  const { tenantId } = w.scope;
  const isElsewhere = sql`(return_url is null or context -> 'device' is not null)`;
  const weaker = await w.query<{ id: string }>(sql.query`select id from proof_pairing_sessions
    where tenant_id = ${tenantId} and state in ('issued', 'proved') and expires_at > ${now}
      and ((${match}::boolean and match_hash is null)
        or (${sameDevice}::boolean and ${isElsewhere})
        or (${newBrowser}::text <> 'allow' and context -> 'device' is not null)
        or (${newBrowser}::text = 'number' and match_hash is null and ${isElsewhere})
        or (${newBrowser}::text = 'nearby_or_same_device' and browser_thumbprint is null and opened_by_device is null
          and ${isElsewhere}))
    for update skip locked`);
  const ids = weaker.map(({ id }) => id);
  await w.mutate(sql.mutation`update proof_pairing_sessions set expires_at = created_at
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`);
  return ids;
}

/**
 * Ends sessions after a restore, also approved ones, whose tokens or sign-in could be taken once more. Returns how many: fewer than
 * `count` were the last ones.
 */
export async function expireRestoredPairings(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
  now: Date,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`update proof_pairing_sessions set expires_at = created_at
    where ${within(scope)} and id in (select id from proof_pairing_sessions
      where ${within(scope)} and expires_at > ${now} limit ${count}) returning 1 as done`);
  return rows.length;
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
  }>(sql.query`select id, concat_ws(' ', state, error_count, phone_connected_at) as state
    from proof_pairing_sessions where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Deletes the pairings that a person approved. */
export async function erasePairings(w: Write, userId: string): Promise<void> {
  await w.mutate(
    sql.mutation`delete from proof_pairing_sessions where ${within(w.scope)} and user_id = ${userId}`,
  );
}
