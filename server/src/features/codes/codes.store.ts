import type { Database } from '../../db/db.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';

export type CodePurpose = 'device' | 'pair' | 'enroll' | 'verify' | 'addition';

export const CODE_EXPIRY: Expiry = {
  table: sql`one_time_codes`,
  key: sql`code_hash`,
  column: sql`expires_at`,
  before: ageOf(0),
};

const MAX_LIVE_CODES = 2_000;

/**
 * Deletes the subject's unused codes and inserts a new one, or returns why not. A separate statement first locks the tenant's
 * row, so the count includes codes created concurrently.
 */
export async function replaceCode(
  w: TenantWrite,
  code: { hash: string; purpose: CodePurpose; subjectId: string; expiresAt: Date },
  now: Date,
): Promise<'made' | 'no room' | 'taken'> {
  const { tenantId, environment } = w.scope;
  const lock = w.query(sql.query`select 1 from tenants where id = ${tenantId} for no key update`);
  const forget = w.mutate(sql.mutation`delete from one_time_codes
    where tenant_id = ${tenantId} and environment = ${environment} and subject_id = ${code.subjectId} and used_at is null`);
  const insert = w.mutate<{ room: boolean; made: boolean }>(sql.mutation`with held as (
      select count(*) < ${MAX_LIVE_CODES} as room from one_time_codes
      where tenant_id = ${tenantId} and used_at is null and expires_at > ${now}
    ), made as (
      insert into one_time_codes (code_hash, purpose, tenant_id, environment, subject_id, expires_at)
      select ${code.hash}, ${code.purpose}, ${tenantId}::uuid, ${environment}, ${code.subjectId}::uuid,
        ${code.expiresAt}::timestamptz from held where room
      on conflict do nothing returning 1
    )
    select room, exists (select 1 from made) as made from held`);
  const [, , [outcome]] = await Promise.all([lock, forget, insert]);
  if (outcome?.made) return 'made';
  return outcome?.room ? 'taken' : 'no room';
}

/**
 * Consumes a code. False if a concurrent request used it first, or if its tenant was suspended after the code was looked up.
 */
export async function consumeCode(w: Write, hash: string, purpose: CodePurpose, now: Date): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows = await w.mutate(sql.mutation`update one_time_codes c set used_at = ${now}
    where c.tenant_id = ${tenantId} and c.environment = ${environment} and ${isLive([hash], purpose, now)}
      and exists (select 1 from tenants where id = ${tenantId} and status = 'active') returning 1 as used`);
  return rows.length > 0;
}

export async function forgetCodes(w: Write, subjectId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from one_time_codes where tenant_id = ${w.scope.tenantId}
    and environment = ${w.scope.environment} and subject_id = ${subjectId} and used_at is null`);
}

/** Forgets all codes after a restore: one that was used since the backup is unused in it. */
export async function deleteRestoredCodes(
  w: UnauditedWrite<'restored rows'>,
  { tenantId, environment }: Scope,
): Promise<void> {
  await w.mutate(
    sql.mutation`delete from one_time_codes where tenant_id = ${tenantId} and environment = ${environment}`,
  );
}

const isLive = (hashes: readonly string[], purpose: CodePurpose, now: Date): Sql =>
  sql`c.code_hash = any(${hashes}) and c.purpose = ${purpose} and c.used_at is null and c.expires_at > ${now}`;

/** What a live code belongs to. */
export interface LiveCode {
  readonly scope: Scope;
  readonly hash: string;
  readonly subjectId: string;
  /** The account's name. */
  readonly companyName: string;
  /** The account's policy. */
  readonly policy: SecurityPolicy;
}

/** Finds a code before its tenant is known, by its hash alone. Undefined if it is not live or its tenant is not active. */
export async function findCode(
  db: Database,
  hashes: readonly string[],
  purpose: CodePurpose,
  now: Date,
): Promise<LiveCode | undefined> {
  const [row] = await db.query<
    Scope & Omit<LiveCode, 'scope'>
  >(sql.query`select c.tenant_id as "tenantId", c.environment,
      c.code_hash as hash, c.subject_id as "subjectId", a.company_name as "companyName",
      a.security_policy as policy
    from one_time_codes c join tenants a on a.id = c.tenant_id and a.status = 'active'
    where ${isLive(hashes, purpose, now)}`);
  if (row === undefined) return undefined;
  const { tenantId, environment, ...code } = row;
  return { ...code, scope: { tenantId, environment } };
}
