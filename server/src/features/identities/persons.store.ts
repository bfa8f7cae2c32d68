import { type Sql, sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';
import { isNotInForce } from '../../records/in-force.js';

/** An identity with what the lists of a person's identities show. */
export interface PersonsIdentityRow {
  id: string;
  did: string;
  device_id: string | null;
  created_at: Date;
  in_force_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  rotations: number;
  /** What attested its device. */
  attestation_kind: string | null;
}

/** The columns of `t`. One of a pending recovery is not an identity yet, and an erased one not any more: neither is listed. */
function selectPersons({ scope }: Read, userId: string): Sql {
  const { tenantId, environment } = scope;
  const used = (table: Sql) => sql`(select max(s.created_at) from ${table} s
        where s.tenant_id = ${tenantId} and s.environment = ${environment} and s.identity_id = t.id)`;
  return sql`select t.id, t.did, t.device_id, t.created_at, t.in_force_at, t.revoked_at,
      greatest(${used(sql`sessions`)}, ${used(sql`oidc_grants`)}) as last_used_at,
      (select count(*) from identity_commitments c where c.tenant_id = ${tenantId} and c.environment = ${environment}
        and c.identity_id = t.id and c.version > 1) as rotations,
      (select attestation_kind from devices d where d.tenant_id = ${tenantId} and d.environment = ${environment}
        and d.id = t.device_id) as attestation_kind
    from identities t where ${within(scope, 't')} and t.user_id = ${userId}
      and t.did is not null and (t.in_force_at is null or t.in_force_at < 'infinity')`;
}

/** Newest first. */
export function listOfPerson(
  read: Read,
  userId: string,
  count: number,
  before: string | undefined,
): Promise<PersonsIdentityRow[]> {
  return read.query<PersonsIdentityRow>(sql.query`${selectPersons(read, userId)}
    ${before ? sql`and t.id < ${before}` : sql``} order by t.id desc limit ${count}`);
}

/** Those that are not revoked, newest first. `max_identities` limits how many there are. */
export function listUnrevoked(read: Read, userId: string): Promise<PersonsIdentityRow[]> {
  return read.query<PersonsIdentityRow>(
    sql.query`${selectPersons(read, userId)} and t.revoked_at is null order by t.id desc limit 100`,
  );
}

export interface DocumentedRow {
  did: string;
  commitment: string;
  created_at: Date;
  revoked_at: Date | null;
  is_in_force: boolean;
  version: number | null;
  rotated_at: Date | null;
}

/** An identity as its DID document shows it. */
export async function findDocumented(read: Read, did: string, now: Date): Promise<DocumentedRow | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] =
    await read.query<DocumentedRow>(sql.query`select t.did, t.commitment, t.created_at, t.revoked_at,
      not ${isNotInForce(sql`t`, now)} as is_in_force, c.version, c.created_at as rotated_at
    from identities t
    left join lateral (select version, created_at from identity_commitments c where c.tenant_id = ${tenantId}
      and c.environment = ${environment} and c.identity_id = t.id order by version desc limit 1) as c on true
    where ${within(read.scope, 't')} and t.did = ${did} and (t.in_force_at is null or t.in_force_at < 'infinity')`);
  return row;
}
