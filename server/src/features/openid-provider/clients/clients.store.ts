import type { JsonWebKey } from 'node:crypto';
import { sql } from '../../../db/sql.js';
import { type Read, type Write, within } from '../../../ledger/write.js';
import type { KeyAlg } from '../keys/keys.store.js';
import type { CustomClaims, StandardClaim } from './claims.js';
import type { AUTH_METHODS, SUBJECT_TYPES, TYPES } from './clients.schema.js';

export interface ClientRow {
  id: string;
  name: string;
  type: (typeof TYPES)[number];
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  backchannel_logout_uri: string | null;
  token_endpoint_auth: (typeof AUTH_METHODS)[number];
  jwks: { keys: JsonWebKey[] } | null;
  subject_type: (typeof SUBJECT_TYPES)[number];
  id_token_alg: KeyAlg;
  require_dpop: boolean;
  require_pkce: boolean;
  claims: StandardClaim[];
  custom_claims: CustomClaims;
  id_token_claims: boolean;
  /** SHA-256 in hex. */
  secret_hash: string | null;
  previous_secret_hash: string | null;
  previous_secret_until: Date | null;
  created_at: Date;
}

const COLUMNS = sql`id, name, type, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, token_endpoint_auth,
  jwks, subject_type, id_token_alg, require_dpop, require_pkce, claims, custom_claims, id_token_claims, secret_hash, previous_secret_hash,
  previous_secret_until, created_at`;

export async function insertClient(w: Write, row: ClientRow): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into oidc_clients (tenant_id, environment, ${COLUMNS})
    values (${tenantId}, ${environment}, ${row.id}, ${row.name}, ${row.type}, ${row.redirect_uris},
      ${row.post_logout_redirect_uris}, ${row.backchannel_logout_uri}, ${row.token_endpoint_auth},
      ${row.jwks && JSON.stringify(row.jwks)}::jsonb, ${row.subject_type}, ${row.id_token_alg}, ${row.require_dpop},
      ${row.require_pkce}, ${row.claims}, ${JSON.stringify(row.custom_claims)}::jsonb, ${row.id_token_claims},
      ${row.secret_hash}, ${row.previous_secret_hash}, ${row.previous_secret_until}, ${row.created_at})`);
}

/** The audit head is locked, so no other write counts at the same time. */
export async function countClients(w: Write): Promise<number> {
  const [row] = await w.query<{ count: number }>(
    sql.query`select count(*) as count from oidc_clients where ${within(w.scope)}`,
  );
  return row?.count ?? 0;
}

export async function findClient(read: Read, id: string): Promise<ClientRow | undefined> {
  const [row] = await read.query<ClientRow>(
    sql.query`select ${COLUMNS} from oidc_clients where ${within(read.scope)} and id = ${id}`,
  );
  return row;
}

export const listClients = (read: Read, count: number, before: string | undefined): Promise<ClientRow[]> =>
  read.query<ClientRow>(sql.query`select ${COLUMNS} from oidc_clients where ${within(read.scope)}
    ${before ? sql`and id < ${before}` : sql``} order by id desc limit ${count}`);

/** Everything that can change. */
export async function saveClient(w: Write, row: ClientRow): Promise<void> {
  await w.mutate(sql.mutation`update oidc_clients set name = ${row.name}, redirect_uris = ${row.redirect_uris},
      post_logout_redirect_uris = ${row.post_logout_redirect_uris}, backchannel_logout_uri = ${row.backchannel_logout_uri},
      jwks = ${row.jwks && JSON.stringify(row.jwks)}::jsonb, id_token_alg = ${row.id_token_alg},
      require_dpop = ${row.require_dpop}, require_pkce = ${row.require_pkce}, claims = ${row.claims},
      custom_claims = ${JSON.stringify(row.custom_claims)}::jsonb, id_token_claims = ${row.id_token_claims},
      secret_hash = ${row.secret_hash},
      previous_secret_hash = ${row.previous_secret_hash}, previous_secret_until = ${row.previous_secret_until}
    where ${within(w.scope)} and id = ${row.id}`);
}

/** Also ends its grants and deletes their codes and tokens. The grants stay until they expire. */
export async function deleteClient(w: Write, id: string, now: Date): Promise<boolean> {
  await w.mutate(sql.mutation`delete from oidc_state where ${within(w.scope)} and grant_id = any(array(
    select id from oidc_grants where ${within(w.scope)} and client_id = ${id}))`);
  await w.mutate(sql.mutation`update oidc_grants set ended_at = ${now}
    where ${within(w.scope)} and client_id = ${id} and ended_at is null`);
  const deleted = await w.mutate(
    sql.mutation`delete from oidc_clients where ${within(w.scope)} and id = ${id} returning 1 as done`,
  );
  return deleted.length > 0;
}
