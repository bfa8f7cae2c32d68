import { type Mutation, type Sql, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../../ledger/write.js';
import { isLiveGrant } from './grants.store.js';

/** A row of the provider's state. Identifiers are stored as their SHA-256. */
export interface NewState {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly grantId: string | null;
  readonly uidHash: string | null;
  readonly userCodeHash: string | null;
  readonly expiresAt: Date;
}

export interface StateRow {
  id: string;
  payload: string;
  consumed_at: Date | null;
}

/** The columns that identify a row. */
type Key = 'id' | 'uid_hash' | 'user_code_hash';

const COLUMNS: Readonly<Record<Key, Sql>> = {
  id: sql`t.id`,
  uid_hash: sql`t.uid_hash`,
  user_code_hash: sql`t.user_code_hash`,
};

/** A row whose grant has ended is not found, nor an expired session or interaction, because the library does not check when these expire. */
export async function findState(
  read: Read,
  kind: string,
  by: Key,
  value: string,
  now: Date,
): Promise<StateRow | undefined> {
  const [row] = await read.query<StateRow>(sql.query`select t.id, t.payload, t.consumed_at from oidc_state t
    where ${within(read.scope, 't')} and t.kind = ${kind} and ${COLUMNS[by]} = ${value}
      and (t.expires_at > ${now} or t.kind not in ('Session', 'Interaction'))
      and (t.grant_id is null or ${isLiveGrant(read.scope, sql`t.grant_id`, now)})`);
  return row;
}

export const insertState = ({ tenantId, environment }: Scope, state: NewState): Mutation =>
  sql.mutation`insert into oidc_state (tenant_id, environment, id, kind, payload, grant_id, uid_hash, user_code_hash, expires_at)
    values (${tenantId}, ${environment}, ${state.id}, ${state.kind}, ${state.payload}, ${state.grantId},
      ${state.uidHash}, ${state.userCodeHash}, ${state.expiresAt})
    on conflict (tenant_id, environment, id) do nothing returning 1`;

/** Inserts or replaces a row. A device code that somebody has approved does not change any more. */
export const saveState = ({ tenantId, environment }: Scope, state: NewState): Mutation =>
  sql.mutation`insert into oidc_state as t (tenant_id, environment, id, kind, payload, grant_id, uid_hash, user_code_hash, expires_at)
    values (${tenantId}, ${environment}, ${state.id}, ${state.kind}, ${state.payload}, ${state.grantId},
      ${state.uidHash}, ${state.userCodeHash}, ${state.expiresAt})
    on conflict (tenant_id, environment, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      uid_hash = excluded.uid_hash, expires_at = excluded.expires_at
      where t.consumed_at is null and (t.kind <> 'DeviceCode' or t.grant_id is null)
    returning 1`;

/** Of concurrent requests with one code or token, only one changes the row. */
export const consumeState = (scope: Scope, id: string, now: Date): Mutation =>
  sql.mutation`update oidc_state set consumed_at = ${now}
    where ${within(scope)} and id = ${id} and consumed_at is null returning grant_id`;

export const deleteState = (scope: Scope, id: string): Mutation =>
  sql.mutation`delete from oidc_state where ${within(scope)} and id = ${id} returning 1`;

export const deleteStatesOfGrant = (scope: Scope, kind: string, grantId: string): Mutation =>
  sql.mutation`delete from oidc_state where ${within(scope)} and kind = ${kind} and grant_id = ${grantId}`;

/** Deletes what the provider keeps for the sign-ins of these identities. */
export async function eraseStates(w: Write, identityIds: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`delete from oidc_state where ${within(w.scope)} and grant_id in (select id from oidc_grants
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[]))`);
}

/** Forgets codes, tokens and browsers after a restore. Returns how many: fewer than `count` were the last ones. */
export async function deleteRestoredStates(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`delete from oidc_state
    where ${within(scope)} and id in (select id from oidc_state where ${within(scope)} limit ${count})
    returning 1 as done`);
  return rows.length;
}
