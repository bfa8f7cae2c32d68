import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';

export interface KeyRow {
  id: string;
  identity_id: string;
  platform: 'webauthn';
  credential_id: string;
  public_key: string;
  level: number;
  backup_eligible: boolean;
  backed_up: boolean;
  counter: number;
  evidence_hash: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const COLUMNS = sql`t.id, t.identity_id, t.platform, t.credential_id, t.public_key, t.level, t.backup_eligible, t.backed_up, t.counter,
  t.evidence_hash, t.created_at, t.last_used_at, t.revoked_at`;

export type NewKey = Omit<KeyRow, 'last_used_at' | 'revoked_at'> & {
  /** Sealed. */
  readonly evidence: string;
};

export async function insertKey(w: Write, key: NewKey): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into attestation_keys (tenant_id, environment, id, identity_id, platform, credential_id,
      public_key, level, backup_eligible, backed_up, counter, evidence_hash, evidence, created_at)
    values (${tenantId}, ${environment}, ${key.id}, ${key.identity_id}, ${key.platform}, ${key.credential_id},
      ${key.public_key}, ${key.level}, ${key.backup_eligible}, ${key.backed_up}, ${key.counter}, ${key.evidence_hash},
      ${key.evidence}, ${key.created_at})`);
}

/** A key with the DID of its identity. */
export type NamedKeyRow = KeyRow & { did: string };

const withDid = ({ tenantId, environment }: Scope): Sql => sql`attestation_keys t
  join identities i on i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = t.identity_id`;

export async function findKey(read: Read, id: string): Promise<NamedKeyRow | undefined> {
  const [row] = await read.query<NamedKeyRow>(sql.query`select ${COLUMNS}, i.did from ${withDid(read.scope)}
    where ${within(read.scope, 't')} and t.id = ${id}`);
  return row;
}

const KEPT_MS = 30 * 24 * 60 * 60_000;
/** When the evidence of a key is dropped. Its hash stays. */
export const EVIDENCE_EXPIRY: Expiry = {
  table: sql`attestation_keys`,
  column: sql`created_at`,
  before: ageOf(KEPT_MS),
  clears: sql`evidence`,
};
export const evidenceEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + KEPT_MS);

/** The sealed evidence of a key, while it is kept. */
export async function findEvidence(read: Read, id: string, now: Date): Promise<string | undefined> {
  const [row] = await read.query<{ evidence: string }>(sql.query`select t.evidence from attestation_keys t
    where ${within(read.scope, 't')} and t.id = ${id} and t.evidence is not null
      and t.created_at >= ${EVIDENCE_EXPIRY.before(now.getTime())}`);
  return row?.evidence;
}

/** The key of an identity that is not revoked. */
export async function findLiveKey(read: Read, identityId: string): Promise<KeyRow | undefined> {
  const [row] = await read.query<KeyRow>(sql.query`select ${COLUMNS} from attestation_keys t
    where ${within(read.scope, 't')} and t.identity_id = ${identityId} and t.revoked_at is null`);
  return row;
}

/** The keys of identities that are not revoked. */
export const listLiveKeys = (
  read: Read,
  identityIds: readonly string[],
): Promise<Pick<KeyRow, 'id' | 'identity_id'>[]> =>
  read.query(sql.query`select t.id, t.identity_id from attestation_keys t
    where ${within(read.scope, 't')} and t.identity_id = any(${identityIds}::uuid[]) and t.revoked_at is null`);

/** A condition: the identity has a key that is not revoked. */
export const hasLiveKey = ({ tenantId, environment }: Scope, identityId: Sql): Sql =>
  sql`exists (select 1 from attestation_keys k where k.tenant_id = ${tenantId} and k.environment = ${environment}
    and k.identity_id = ${identityId} and k.revoked_at is null)`;

/** The keys of an identity, newest first. */
export const listKeys = (read: Read, did: string, count: number): Promise<NamedKeyRow[]> =>
  read.query<NamedKeyRow>(sql.query`select ${COLUMNS}, i.did from ${withDid(read.scope)}
    where ${within(read.scope, 't')} and i.did = ${did} order by t.id desc limit ${count}`);

/** The identity that a key belongs to. Locked, so that a key is revoked before or after its use. */
export async function lockIdentityOf(w: Write, id: string): Promise<string | undefined> {
  const { tenantId, environment } = w.scope;
  const [row] = await w.query<{ id: string }>(sql.query`select t.id from identities t
    where ${within(w.scope, 't')} and t.id = (select k.identity_id from attestation_keys k
      where k.tenant_id = ${tenantId} and k.environment = ${environment} and k.id = ${id})
    for no key update`);
  return row?.id;
}

/** False if it was revoked before. */
export async function revokeKey(w: Write, id: string, now: Date): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update attestation_keys set revoked_at = ${now}
    where ${within(w.scope)} and id = ${id} and revoked_at is null returning id`);
  return rows.length > 0;
}

/** Revokes the keys of identities. @returns the ids of those that were not revoked before */
export async function revokeKeysOf(w: Write, identityIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`update attestation_keys set revoked_at = ${now}
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[]) and revoked_at is null returning id`);
  return rows.map(({ id }) => id);
}

export async function deleteKeysOf(w: Write, identityIds: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`delete from attestation_keys
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[])`);
}

/** What a use leaves in the row. */
export interface KeyUse {
  readonly id: string;
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * A condition: the key is one of this identity, is not revoked, and its counter has risen. Each device of a synced passkey counts on
 * its own.
 */
export const isUsable = ({ tenantId, environment }: Scope, { id, counter }: KeyUse, identityId: Sql): Sql =>
  sql`exists (select 1 from attestation_keys k where k.tenant_id = ${tenantId} and k.environment = ${environment}
    and k.id = ${id}::uuid and k.identity_id = ${identityId} and k.revoked_at is null
    and (k.backup_eligible or k.counter < ${counter} or k.counter = 0 and ${counter} = 0))`;

/** Records a use while the condition holds. False if it does not. */
export async function recordUse(
  w: Write,
  { id, counter, backedUp }: KeyUse,
  now: Date,
  condition: Sql,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update attestation_keys t
    set counter = greatest(t.counter, ${counter}::bigint), backed_up = ${backedUp}, last_used_at = ${now}
    where ${within(w.scope, 't')} and t.id = ${id} and ${condition} returning 1 as done`);
  return rows.length > 0;
}
