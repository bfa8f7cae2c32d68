import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Write, within } from '../../ledger/write.js';
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
  db: Database,
  scope: Scope,
  method: Method,
  stateHash: string,
  now: Date,
): Promise<{ expected: string } | undefined> {
  const [row] = await db.query<{ expected: string }>(sql.mutation`delete from sso_requests
    where ${within(scope)} and method = ${method} and state_hash = ${stateHash} and expires_at > ${now}
    returning expected`);
  return row;
}

/** What is known of a sign-on before the database decides. */
export interface SignOn {
  readonly verificationId: string;
  readonly method: Method;
  /** Who vouches for the subject. */
  readonly connection: string;
  /** Null: the answer was refused. */
  readonly subject: string | null;
  /** Of a user who is yet to be made. */
  readonly userId: string;
  readonly fullName: string;
  readonly sessionId: string;
  readonly refreshHash: string;
  readonly refreshExpiresAt: Date;
  readonly sessionExpiresAt: Date;
}

/**
 * Decides a sign-on in one statement, the same for every outcome: finds or makes the user, opens the session and records
 * the event, or records a failure. A user is found by connection and subject alone. A new one gets the subject as
 * externalId, unless somebody else has it: then none, so that nobody takes over a user by an equal externalId. The user's
 * row is locked, so that deactivating them and signing on have an order. A user with a registered identity is left alone:
 * a simulated provider lets anybody claim to be them. Writes of one tenant and environment come one after another, so of
 * two first sign-ons of a subject the second finds what the first made; the primary key refuses a second user in any case.
 */
export async function settleSignOn(
  w: Write,
  signOn: SignOn,
  now: Date,
): Promise<{ userId: string } | undefined> {
  const { tenantId, environment } = w.scope;
  const { connection, subject, sessionId } = signOn;
  const [row] = await w.mutate<{ user_id: string | null }>(sql.mutation`with known as (
    select user_id from sso_identities
    where ${within(w.scope)} and connection = ${connection} and subject = ${subject}::text
  ), found as (
    select t.id from tenant_users t join known k on k.user_id = t.id
    where t.tenant_id = ${tenantId} and t.environment = ${environment} and t.status = 'active'
      and not exists (select 1 from identities i where i.tenant_id = t.tenant_id
        and i.environment = t.environment and i.user_id = t.id and i.revoked_at is null)
    for no key update of t
  ), made as (
    insert into tenant_users (tenant_id, environment, id, full_name, external_id, created_at, updated_at)
    select ${tenantId}::uuid, ${environment}, ${signOn.userId}::uuid, ${signOn.fullName},
      case when not ${externalIdExists(sql`${tenantId}`, sql`${environment}`, sql`${subject}::text`)}
        then ${subject}::text end, ${now}::timestamptz, ${now}::timestamptz
    where ${subject}::text is not null and not exists (select 1 from known)
    returning id
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
    insert into verifications (tenant_id, environment, id, method, result, user_id, occurred_at, created_at)
    select ${tenantId}::uuid, ${environment}, ${signOn.verificationId}::uuid, ${signOn.method},
      case when exists (select 1 from person) then 'pass' else 'fail' end,
      (select id from person), ${now}::timestamptz, ${now}::timestamptz
  )
  select (select id from person) as user_id`);
  return row?.user_id ? { userId: row.user_id } : undefined;
}
