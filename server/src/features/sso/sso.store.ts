import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { SEAL_COLUMNS, SEALED_AT } from '../../ledger/record-seal.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Write, within } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { Settled } from '../proofs/proofs.js';
import { externalIdExists } from '../users/users.js';

export type Method = 'saml' | 'oidc';

export const SIGN_ON_EXPIRY: Expiry = { table: sql`sso_requests`, column: sql`expires_at`, before: ageOf(0) };

export interface NewRequest {
  readonly id: string;
  readonly method: Method;
  readonly stateHash: string;
  readonly expected: string;
  readonly expiresAt: Date;
}

export async function insertRequest(w: Write, request: NewRequest, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into sso_requests (tenant_id, environment, id, method, state_hash, expected, created_at, expires_at)
    values (${tenantId}, ${environment}, ${request.id}, ${request.method}, ${request.stateHash}, ${request.expected},
      ${now}, ${request.expiresAt})`);
}

/**
 * Takes the login that a state belongs to, at most once. On its own and not within a write: it must stay spent whatever
 * becomes of the answer, and what that was is audited right after.
 */
export async function spendRequest(
  w: UnauditedWrite<'sign-on requests'>,
  scope: Scope,
  method: Method,
  stateHash: string,
  now: Date,
): Promise<{ expected: string } | undefined> {
  const [row] = await w.mutate<{ expected: string }>(sql.mutation`delete from sso_requests
    where ${within(scope)} and method = ${method} and state_hash = ${stateHash} and expires_at > ${now}
    returning expected`);
  return row;
}

/** The input of a sign-on's deciding statement. */
export interface SignOn {
  readonly verificationId: string;
  readonly method: Method;
  /** The identity provider's connection. */
  readonly connection: string;
  /** Null if the provider's response was rejected. */
  readonly subject: string | null;
  /** Why it was. Null if it was not. */
  readonly rejected: FailureReason | null;
  /** The id of the user, if one is created. */
  readonly userId: string;
  readonly fullName: string;
  readonly sessionId: string;
  readonly refreshHash: string;
  readonly refreshExpiresAt: Date;
  readonly sessionExpiresAt: Date;
}

/**
 * Decides a sign-on in one statement, the same for every outcome. It finds or creates the user, opens the session and records
 * the event, or records a failure with its reason. Users are found by connection and subject alone. A new user gets the subject as
 * externalId, or none if another user has it, so an equal externalId never gives access to a user. The statement locks the
 * user's row, so signing on and deactivating happen one after the other. It rejects users with a registered identity, because
 * anybody can claim any subject at a simulated provider. The writes of a tenant and environment run one after another, so the
 * second of two first sign-ons finds the user of the first. The primary key prevents a second user in any case.
 *
 * Like `settleVerification` (verification.store.ts), this statement also writes tables that other stores own: `tenant_users`,
 * `sessions`, `refresh_tokens` and `verifications`.
 */
export async function settleSignOn(w: Write, signOn: SignOn, now: Date): Promise<Settled<string>> {
  const { tenantId, environment } = w.scope;
  const { connection, subject, sessionId, verificationId, method } = signOn;
  const [seal, userSeal] = [w.seal('verification'), w.seal('user')];
  const [row] = await w.mutate<
    ({ user_id: string; reason: null } | { user_id: null; reason: FailureReason }) & {
      external_id: string | null;
    }
  >(sql.mutation`with known as (
    select user_id from sso_identities
    where ${within(w.scope)} and connection = ${connection} and subject = ${subject}::text
  ), found as (
    select t.id from tenant_users t
    where t.tenant_id = ${tenantId} and t.environment = ${environment} and t.id = (select user_id from known) and t.status = 'active'
      and not exists (select 1 from identities i where i.tenant_id = ${tenantId}
        and i.environment = ${environment} and i.user_id = t.id and i.revoked_at is null)
    for no key update
  ), made as (
    insert into tenant_users (tenant_id, environment, id, full_name, external_id, created_at, updated_at, ${SEALED_AT})
    select ${tenantId}::uuid, ${environment}, ${signOn.userId}::uuid, ${signOn.fullName},
      case when not ${externalIdExists(w.scope, sql`${subject}::text`)}
        then ${subject}::text end, ${now}::timestamptz, ${now}::timestamptz, ${userSeal.values}, ${now}::timestamptz
    where ${subject}::text is not null and not exists (select 1 from known)
    returning id, external_id
  ), linked as (
    insert into sso_identities (tenant_id, environment, connection, subject, user_id, created_at)
    select ${tenantId}::uuid, ${environment}, ${connection}, ${subject}::text, id, ${now}::timestamptz from made
  ), person as (
    select id from found union all select id from made
  ), session as (
    insert into sessions (tenant_id, environment, id, user_id, simulated, created_at, expires_at)
    select ${tenantId}::uuid, ${environment}, ${sessionId}::uuid, id, true, ${now}::timestamptz,
      ${signOn.sessionExpiresAt}::timestamptz from person
  ), token as (
    insert into refresh_tokens (tenant_id, environment, token_hash, session_id, created_at, expires_at)
    select ${tenantId}::uuid, ${environment}, ${signOn.refreshHash}, ${sessionId}::uuid, ${now}::timestamptz,
      ${signOn.refreshExpiresAt}::timestamptz from person
  ), event as (
    insert into verifications (tenant_id, environment, id, method, result, reason, user_id, occurred_at, created_at,
      ${SEAL_COLUMNS})
    select ${tenantId}::uuid, ${environment}, ${verificationId}::uuid, ${method},
      case when exists (select 1 from person) then 'pass' else 'fail' end,
      case when not exists (select 1 from person) then coalesce(${signOn.rejected}::text,
        (select 'inactive_user' from tenant_users t where t.tenant_id = ${tenantId} and t.environment = ${environment}
          and t.id = (select user_id from known) and t.status <> 'active'), 'registered_identity') end,
      (select id from person), ${now}::timestamptz, ${now}::timestamptz, ${seal.values}
    returning reason
  )
  select (select id from person) as user_id, (select external_id from made) as external_id, reason from event`);
  if (row === undefined) throw new Error('A sign-on was not recorded');
  const { user_id: userId, external_id: externalId, reason } = row;
  const at = now.toISOString();
  const result = userId === null ? 'fail' : 'pass';
  const event = { id: verificationId, environment, method, result, userId, reason };
  seal.place({ ...event, occurredAt: at, createdAt: at });
  if (userId === null) return { won: false, reason };
  if (userId === signOn.userId) {
    const person = { id: userId, environment, fullName: signOn.fullName, externalId };
    userSeal.place({ ...person, emailFromDevice: false, status: 'active', createdAt: at });
  }
  return { won: true, userId };
}

/** Forgets who a person is at identity providers. */
export async function eraseSubjects(w: Write, userId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from sso_identities where ${within(w.scope)} and user_id = ${userId}`);
}

/** Forgets sign-ons that have begun after a restore. Returns how many: fewer than `count` were the last ones. */
export async function deleteRestoredRequests(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`delete from sso_requests
    where ${within(scope)} and id in (select id from sso_requests where ${within(scope)} limit ${count})
    returning 1 as done`);
  return rows.length;
}
