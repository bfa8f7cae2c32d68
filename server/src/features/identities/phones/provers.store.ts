import { sql } from '../../../db/sql.js';
import { type Read, type Write, within } from '../../../ledger/write.js';
import { isNotInForce } from '../../../records/in-force.js';

/** The identity that a phone proves, and what is wrong with it. The booleans have the names of failure reasons. */
export interface ProverRow {
  id: string;
  user_id: string;
  did: string;
  commitment: string;
  created_at: Date;
  revoked_at: Date | null;
  revoked_by_itself: boolean;
  /** Until when the identity's numbers are locked, after three wrong ones. */
  match_locked_until: Date | null;
  revoked: boolean;
  not_in_force: boolean;
  inactive_user: boolean;
  wrong_secret: boolean;
  nonce_used: boolean;
}

/** What a proof claims, in stored form. */
export interface ProverSearch {
  readonly did: string;
  readonly commitment: string;
  readonly nonce: string;
}

function selectProver({ scope }: Read, { did, commitment, nonce }: ProverSearch, now: Date) {
  const { tenantId, environment } = scope;
  return sql`select t.id, t.user_id, t.did, t.commitment, t.created_at, t.revoked_at, t.revoked_by_itself, t.match_locked_until,
      t.revoked_at is not null as revoked, ${isNotInForce(sql`t`, now)} as not_in_force,
      u.status <> 'active' as inactive_user, t.commitment <> ${commitment} as wrong_secret,
      exists (select 1 from spent_nonces n where n.tenant_id = ${tenantId} and n.environment = ${environment}
        and n.nonce = ${nonce}::uuid) as nonce_used
    from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
    where ${within(scope, 't')} and t.did = ${did}`;
}

export async function findProver(
  read: Read,
  search: ProverSearch,
  now: Date,
): Promise<ProverRow | undefined> {
  const [row] = await read.query<ProverRow>(sql.query`${selectProver(read, search, now)}`);
  return row;
}

/** Locks the identity and its person until the transaction ends, so that their identities are counted exactly. */
export async function lockProver(w: Write, search: ProverSearch, now: Date): Promise<ProverRow | undefined> {
  const [row] = await w.query<ProverRow>(
    sql.query`${selectProver(w, search, now)} for no key update of t, u`,
  );
  return row;
}

/** How many identities a person has, and got recently. */
export interface Counted {
  /** Not revoked. Those that are not in force yet count as well. */
  readonly count: number;
  /** Created since then, also if they were revoked later, and when the first of these was created. */
  readonly recent: number;
  readonly first_recent: Date | null;
}

export async function countIdentities(read: Read, userId: string, since: Date): Promise<Counted> {
  const isRecent = sql`created_at > ${since}`;
  const [row] =
    await read.query<Counted>(sql.query`select count(*) filter (where revoked_at is null) as count,
      count(*) filter (where ${isRecent}) as recent, min(created_at) filter (where ${isRecent}) as first_recent
    from identities where ${within(read.scope)} and user_id = ${userId}`);
  return row as Counted;
}
