import type { Database } from '../../../db/db.js';
import { type Mutation, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../../ledger/write.js';
import type { Environment } from '../../../model/environment.js';

export const KEY_ALGS = ['RS256', 'ES256'] as const;
export type KeyAlg = (typeof KEY_ALGS)[number];
export type KeyState = 'next' | 'current' | 'retired';

export interface IssuerRow {
  id: string;
  /** Sealed. */
  subject_salt: string;
}

export interface KeyRow {
  id: string;
  alg: KeyAlg;
  state: KeyState;
  /** Sealed. */
  private_key: string;
}

export interface NewKeyRow extends KeyRow {
  public_jwk: object;
}

export async function findIssuer(read: Read): Promise<IssuerRow | undefined> {
  const [row] = await read.query<IssuerRow>(
    sql.query`select id, subject_salt from oidc_issuers where ${within(read.scope)}`,
  );
  return row;
}

/** The current keys first, then the next ones, then the retired ones. */
export const listKeys = (read: Read): Promise<KeyRow[]> =>
  read.query<KeyRow>(sql.query`select id, alg, state, private_key from oidc_keys where ${within(read.scope)}
    order by case state when 'current' then 0 when 'next' then 1 else 2 end, changed_at desc, alg, id`);

/** Returns whether it was inserted. Does nothing if the environment has an issuer. */
export async function insertIssuer(w: Write, row: IssuerRow, now: Date): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const inserted =
    await w.mutate(sql.mutation`insert into oidc_issuers (tenant_id, environment, id, subject_salt, created_at)
    values (${tenantId}, ${environment}, ${row.id}, ${row.subject_salt}, ${now})
    on conflict (tenant_id, environment) do nothing returning 1 as done`);
  return inserted.length > 0;
}

/** Does nothing if the environment has a key of that algorithm and state. */
export const insertKey = ({ tenantId, environment }: Scope, row: NewKeyRow, now: Date): Mutation =>
  sql.mutation`insert into oidc_keys (tenant_id, environment, id, alg, state, public_jwk, private_key, created_at, changed_at)
    values (${tenantId}, ${environment}, ${row.id}, ${row.alg}, ${row.state}, ${JSON.stringify(row.public_jwk)}::jsonb,
      ${row.private_key}, ${now}, ${now})
    on conflict do nothing returning 1 as done`;

export interface DueKey {
  tenant_id: string;
  environment: Environment;
  id: string;
  alg: KeyAlg;
  changed_at: Date;
}

/** Keys of any tenant that have been in a state since `until` or longer, oldest first. Current keys only if they have no next one. */
export function listDueKeys(
  db: Database,
  state: KeyState,
  until: Date,
  after: DueKey | undefined,
  limit: number,
): Promise<DueKey[]> {
  const hasNoNext = sql`and not exists (select 1 from oidc_keys n where n.tenant_id = t.tenant_id
    and n.environment = t.environment and n.alg = t.alg and n.state = 'next')`;
  return db.query<DueKey>(sql.query`select t.tenant_id, t.environment, t.id, t.alg, t.changed_at
    from oidc_keys t where t.state = ${state} and t.changed_at <= ${until} ${state === 'current' ? hasNoNext : sql``}
    ${after ? sql`and (t.changed_at, t.id) > (${after.changed_at}, ${after.id})` : sql``}
    order by t.changed_at, t.id limit ${limit}`);
}

/** The next key becomes the current one, which retires. Returns false if it is no longer the next one: roll back. */
export async function promoteKey(
  w: Write,
  { id, alg }: Pick<DueKey, 'id' | 'alg'>,
  now: Date,
): Promise<boolean> {
  await w.mutate(sql.mutation`update oidc_keys set state = 'retired', changed_at = ${now}
    where ${within(w.scope)} and alg = ${alg} and state = 'current'`);
  const promoted = await w.mutate(sql.mutation`update oidc_keys set state = 'current', changed_at = ${now}
    where ${within(w.scope)} and id = ${id} and state = 'next' returning 1 as done`);
  return promoted.length > 0;
}

export const deleteRetiredKey = ({ tenantId, environment }: Scope, id: string): Mutation =>
  sql.mutation`delete from oidc_keys
    where tenant_id = ${tenantId} and environment = ${environment} and id = ${id} and state = 'retired'`;
