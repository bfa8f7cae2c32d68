import type { Database } from '../../../db/db.js';
import { sql } from '../../../db/sql.js';
import type { Read, TenantWrite, Write } from '../../../ledger/write.js';
import { ownersWhoLogIn } from '../members/members.store.js';

export interface PasskeyRow {
  id: string;
  tenant_id: string;
  member_id: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
  is_synced: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const COLUMNS = sql`id, tenant_id, member_id, credential_id, public_key, counter, transports, is_synced, name, created_at, last_used_at`;

/** A member's passkeys, oldest first. */
export const listPasskeys = (read: Read, memberId: string): Promise<PasskeyRow[]> =>
  read.query<PasskeyRow>(sql.query`select ${COLUMNS} from passkeys
    where tenant_id = ${read.scope.tenantId} and member_id = ${memberId} order by created_at, id`);

export async function findPasskey(read: Read, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await read.query<PasskeyRow>(sql.query`select ${COLUMNS} from passkeys
    where tenant_id = ${read.scope.tenantId} and id = ${id}`);
  return row;
}

/** The passkey with this credential, whose account is not known yet. */
export async function findByCredential(db: Database, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await db.query<PasskeyRow>(
    sql.query`select ${COLUMNS} from passkeys where credential_id = ${credentialId}`,
  );
  return row;
}

export type NewPasskey = Omit<PasskeyRow, 'tenant_id' | 'last_used_at'>;

export async function insertPasskey(w: Write, of: NewPasskey): Promise<PasskeyRow> {
  const [row] = await w.mutate<PasskeyRow>(sql.mutation`insert into passkeys
      (tenant_id, id, member_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${w.scope.tenantId}, ${of.id}, ${of.member_id}, ${of.credential_id}, ${of.public_key}, ${of.counter},
      ${of.transports}, ${of.is_synced}, ${of.name}, ${of.created_at}) returning ${COLUMNS}`);
  return row as PasskeyRow;
}

/**
 * Records a use. False if the passkey was removed, or if its counter did not rise and it is not synced: several devices of a synced
 * passkey count on their own.
 */
export async function usePasskey(
  w: Write,
  { id, member_id }: PasskeyRow,
  counter: number,
  now: Date,
): Promise<boolean> {
  const rows = await w.mutate(sql.mutation`update passkeys
    set counter = greatest(counter, ${counter}::bigint), last_used_at = ${now}
    where tenant_id = ${w.scope.tenantId} and id = ${id} and member_id = ${member_id}
      and (is_synced or counter < ${counter} or counter = 0 and ${counter} = 0) returning 1 as done`);
  return rows.length > 0;
}

/** Undefined if there is none, or if no owner of the account could log in without it. */
export async function deletePasskey(
  w: TenantWrite,
  memberId: string,
  id: string,
): Promise<PasskeyRow | undefined> {
  const { tenantId } = w.scope;
  const [row] = await w.mutate<PasskeyRow>(sql.mutation`delete from passkeys
    where tenant_id = ${tenantId} and id = ${id} and member_id = ${memberId} and (
      not exists (select 1 from members where tenant_id = ${tenantId} and id = ${memberId} and role = 'owner')
      or exists (${ownersWhoLogIn(tenantId, id)}))
    returning ${COLUMNS}`);
  return row;
}

/** All passkeys of a member who leaves. */
export async function deletePasskeys(w: TenantWrite, memberId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from passkeys
    where tenant_id = ${w.scope.tenantId} and member_id = ${memberId}`);
}
