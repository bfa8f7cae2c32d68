import type { Groth16Proof } from '@svc/zk/verifier/proof';
import { type Sql, sql } from '../../../db/sql.js';
import { type Read, type Write, within } from '../../../ledger/write.js';

export interface NewCommitment {
  readonly identityId: string;
  /** 1 for the commitment that the identity was created with, then one more for each rotation. */
  readonly version: number;
  readonly commitment: string;
  readonly salt: string;
  readonly leaf: string;
  /** The proof that authorized it, with its public signals. Null for a registration. */
  readonly authorization: object | null;
}

export async function insertCommitment(w: Write, commitment: NewCommitment, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  const { identityId, version, salt, leaf, authorization } = commitment;
  await w.mutate(sql.mutation`insert into identity_commitments (tenant_id, environment, identity_id, version, commitment, salt,
      leaf, authorization_proof, created_at)
    values (${tenantId}, ${environment}, ${identityId}, ${version}, ${commitment.commitment}, ${salt}, ${leaf},
      ${authorization ? JSON.stringify(authorization) : null}::json, ${now})`);
}

const ofIdentity = ({ scope: { tenantId, environment } }: Read) =>
  sql`c.tenant_id = ${tenantId} and c.environment = ${environment} and c.identity_id = t.id`;

/** An identity with its newest commitment, whose columns are null if it is from before and has no leaf yet. */
export interface EnrolledRow {
  id: string;
  user_id: string;
  did: string;
  /** In `identities`. */
  current: string;
  version: number | null;
  commitment: string | null;
  salt: string | null;
  leaf: string | null;
  created_at: Date | null;
  /** When it came into force, if that was later. */
  in_force_at: Date | null;
}

/** Undefined for an identity that waits for its recovery: nothing in the chain is about it yet. */
export async function findEnrolled(
  read: Read,
  by: { readonly id: string } | { readonly did: string },
): Promise<EnrolledRow | undefined> {
  const match = 'id' in by ? sql`t.id = ${by.id}` : sql`t.did = ${by.did}`;
  const [row] =
    await read.query<EnrolledRow>(sql.query`select t.id, t.user_id, t.did, t.commitment as current, t.in_force_at,
      c.version, c.commitment, c.salt, c.leaf, c.created_at
    from identities t left join identity_commitments c on ${ofIdentity(read)}
    where ${within(read.scope, 't')} and ${match} and t.in_force_at is distinct from 'infinity'
    order by c.version desc limit 1`);
  return row;
}

/**
 * A condition: the identity `t` is anchored with other words than its own, or the anchor's hash is not the one of its words. The
 * anchor's tag is that of the scope.
 */
const differsFromAnchor = ({ scope: { tenantId, environment } }: Read, tag: string): Sql =>
  sql`exists (select 1 from anchor_leaves l
    where l.tenant_id = ${tenantId} and l.environment = ${environment} and l.kind = 1 and l.identity_id = t.id
      and l.salt is not null and (l.second_word <> t.commitment
        or l.first_word <> '00' || encode(substring(sha256(convert_to(t.did, 'UTF8')) from 1 for 31), 'hex')
        or l.hash <> encode(sha256(decode('0001' || ${tag} || l.first_word || l.second_word || l.salt, 'hex')), 'hex')))`;

const hasNoLeaf = (read: Read) =>
  sql`t.in_force_at is distinct from 'infinity' and t.did is not null
    and not exists (select 1 from identity_commitments c where ${ofIdentity(read)})`;

export type UnenrolledRow = Pick<EnrolledRow, 'id' | 'user_id' | 'did'> & { commitment: string };

/** Identities without a leaf, in order of their ids: all, or those that agree with their anchor, or those that differ from it. */
export function listUnenrolled(
  read: Read,
  tag: string,
  which: 'all' | 'sound' | 'altered',
  count: number,
): Promise<UnenrolledRow[]> {
  const differs = differsFromAnchor(read, tag);
  const chosen = { all: sql``, sound: sql`and not ${differs}`, altered: sql`and ${differs}` }[which];
  return read.query<UnenrolledRow>(sql.query`select t.id, t.user_id, t.did, t.commitment from identities t
    where ${within(read.scope, 't')} and ${hasNoLeaf(read)} ${chosen}
    order by t.id limit ${count}`);
}

/** The identity, unless it has a leaf, differs from its anchor, or its chain needs no more leaves. */
export async function findUnenrolled(
  read: Read,
  tag: string,
  id: string,
): Promise<UnenrolledRow | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] =
    await read.query<UnenrolledRow>(sql.query`select t.id, t.user_id, t.did, t.commitment from identities t
    where ${within(read.scope, 't')} and ${hasNoLeaf(read)} and t.id = ${id} and not ${differsFromAnchor(read, tag)}
      and not exists (select 1 from leaf_chains where tenant_id = ${tenantId} and environment = ${environment})`);
  return row;
}

/** A commitment that an identity has or had, and the proof that authorized it. */
export interface AuthorizedRow {
  id: string;
  user_id: string;
  did: string;
  salt: string;
  leaf: string;
  created_at: Date;
  in_force_at: Date | null;
  /** Null for a registration, a recovery, and an identity from before there were leaves. */
  authorization_proof: Authorization | null;
}

/** A proof as it was sent, with the identity whose it is and the use that it is bound to. */
export interface Authorization {
  readonly did: string;
  readonly nonce: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
}

/** Undefined also if the person was erased. */
export async function findAuthorized(
  read: Read,
  { did, commitment }: { readonly did: string; readonly commitment: string },
): Promise<AuthorizedRow | undefined> {
  const [row] =
    await read.query<AuthorizedRow>(sql.query`select t.id, t.user_id, t.did, c.salt, c.leaf, c.created_at, t.in_force_at,
      c.authorization_proof
    from identities t join identity_commitments c on ${ofIdentity(read)}
    where ${within(read.scope, 't')} and t.did = ${did} and c.commitment = ${commitment}`);
  return row;
}

export interface CommitmentRow {
  version: number;
  created_at: Date;
}

/** The newest commitments of an identity, newest first. */
export function listCommitments(read: Read, identityId: string, count: number): Promise<CommitmentRow[]> {
  return read.query<CommitmentRow>(sql.query`select version, created_at from identity_commitments
    where ${within(read.scope)} and identity_id = ${identityId} order by version desc limit ${count}`);
}

/** The commitment that an identity was created with. */
export async function findFirstCommitment(
  read: Read,
  identityId: string,
): Promise<{ salt: string; leaf: string; created_at: Date } | undefined> {
  const [row] = await read.query<{
    salt: string;
    leaf: string;
    created_at: Date;
  }>(sql.query`select salt, leaf, created_at from identity_commitments
    where ${within(read.scope)} and identity_id = ${identityId} and version = 1`);
  return row;
}

/** Releases the commitments of an identity that never came into force. */
export async function deletePendingCommitments(w: Write, identityId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from identity_commitments where ${within(w.scope)} and identity_id =
    (select id from identities where ${within(w.scope)} and id = ${identityId} and in_force_at = 'infinity')`);
}

/** All commitments of these identities. */
export async function listAllCommitments(read: Read, identityIds: readonly string[]): Promise<string[]> {
  const rows = await read.query<{ commitment: string }>(sql.query`select commitment from identity_commitments
    where ${within(read.scope)} and identity_id = any(${identityIds}::uuid[]) and commitment is not null`);
  return rows.map(({ commitment }) => commitment);
}

/** Keeps only the leaves of these identities, which the audit chain names. Without their salts they say nothing. */
export async function eraseCommitments(w: Write, identityIds: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`update identity_commitments set commitment = null, salt = null, authorization_proof = null
    where ${within(w.scope)} and identity_id = any(${identityIds}::uuid[])`);
}
