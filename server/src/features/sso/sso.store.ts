import { sql } from '../../kernel/db/sql.js';
import { type Read, type Write, within } from '../../kernel/write.js';

export type Method = 'saml' | 'oidc';

export interface NewRequest {
  readonly id: string;
  readonly method: Method;
  readonly stateHash: string;
  readonly expected: string;
  readonly expiresAt: Date;
}

export async function insertRequest(w: Write, request: NewRequest, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.query(sql`insert into sso_requests (tenant_id, environment, id, method, state_hash, expected, created_at, expires_at)
    values (${tenantId}, ${environment}, ${request.id}, ${request.method}, ${request.stateHash}, ${request.expected},
      ${now}, ${request.expiresAt})`);
}

/**
 * Takes the login that a state belongs to, at most once. On its own and not within a write: it must stay spent whatever
 * becomes of the answer, and what that was is audited right after.
 */
export async function spendRequest(
  read: Read,
  method: Method,
  stateHash: string,
  now: Date,
): Promise<{ expected: string } | undefined> {
  const [row] = await read.query<{ expected: string }>(sql`delete from sso_requests
    where ${within(read.scope)} and method = ${method} and state_hash = ${stateHash} and expires_at > ${now}
    returning expected`);
  return row;
}

/** What is known of a sign-on before the database decides. */
export interface SignOn {
  readonly verificationId: string;
  readonly method: Method;
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
 * the event, or records a failure. The user's row is locked, so that deactivating them and signing on have an order. A
 * user with a registered identity is left alone: a simulated provider lets anybody claim to be them.
 */
export async function settleSignOn(
  w: Write,
  signOn: SignOn,
  now: Date,
): Promise<{ userId: string } | undefined> {
  const { tenantId, environment } = w.scope;
  const { subject, sessionId } = signOn;
  const [row] = await w.query<{ user_id: string | null }>(sql`with person as (
    insert into tenant_users as t (tenant_id, environment, id, full_name, external_id, created_at, updated_at)
    select ${tenantId}::uuid, ${environment}, ${signOn.userId}::uuid, ${signOn.fullName}, ${subject}::text,
      ${now}::timestamptz, ${now}::timestamptz
    where ${subject}::text is not null
    on conflict on constraint tenant_users_external_id_key do update set updated_at = t.updated_at
    where t.status = 'active' and not exists (select 1 from identities i where i.tenant_id = t.tenant_id
      and i.environment = t.environment and i.user_id = t.id and i.revoked_at is null)
    returning t.id
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
