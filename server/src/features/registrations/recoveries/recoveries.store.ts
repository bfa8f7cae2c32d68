import type { Database } from '../../../db/db.js';
import { join, sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, within } from '../../../ledger/write.js';
import { isFree, TWO_PERSON } from '../registrations.store.js';

export interface RecoveryRow {
  id: string;
  state: 'pending_recovery' | 'completed' | 'abandoned';
  user_id: string;
  device_id: string;
  did: string;
  recovery_opened_at: Date;
  completes_at: Date;
  /** Null: by an API key. */
  opened_by: string | null;
  two_person: boolean;
  contested_at: Date | null;
  /** Of one that was contested. 0 if that was on a node of the version before. */
  confirmations_needed: number;
  confirmed_by: readonly string[];
  confirmed_at: Date | null;
}

const COLUMNS = sql`id, state, user_id, device_id, did, recovery_opened_at, completes_at, opened_by, ${TWO_PERSON} as two_person, contested_at,
  confirmations_needed, confirmed_by, confirmed_at`;

export async function findRecovery(read: Read, id: string): Promise<RecoveryRow | undefined> {
  const [row] = await read.query<RecoveryRow>(sql.query`select ${COLUMNS} from registration_sessions
    where ${within(read.scope)} and id = ${id} and recovery_opened_at is not null`);
  return row;
}

/** Newest first. */
export function listRecoveries(
  read: Read,
  { state, userId }: { readonly state?: RecoveryRow['state']; readonly userId?: string },
  count: number,
  before: string | undefined,
): Promise<RecoveryRow[]> {
  const conditions = [
    within(read.scope),
    sql`recovery_opened_at is not null`,
    ...(state ? [sql`state = ${state}`] : []),
    ...(userId ? [sql`for_user_id = ${userId}`] : []),
    ...(before ? [sql`id < ${before}`] : []),
  ];
  return read.query<RecoveryRow>(
    sql.query`select ${COLUMNS} from registration_sessions where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

/** Where a recovery is, and what it is: a phone without an API key knows only its id. */
export interface Place
  extends Pick<RecoveryRow, 'user_id' | 'state' | 'two_person' | 'contested_at' | 'confirmed_at'> {
  tenant_id: string;
  environment: Scope['environment'];
}

export async function findPlace(db: Database, id: string): Promise<Place | undefined> {
  const [row] =
    await db.query<Place>(sql.query`select tenant_id, environment, user_id, state, (two_person or by_reception) as two_person, contested_at, confirmed_at
    from registration_sessions where id = ${id} and recovery_opened_at is not null`);
  return row;
}

export interface DueRecovery {
  tenant_id: string;
  environment: Scope['environment'];
  id: string;
  completes_at: Date;
  identity_id: string;
  user_id: string;
  /** Its identity was revoked, so it ends without success. */
  is_revoked: boolean;
}

/**
 * Recoveries to end, after a position: their time has come and nobody holds them, or their identity was revoked. Those of an account
 * that is not active wait, because nobody can contest them.
 */
export function listDue(
  db: Database,
  now: Date,
  after: DueRecovery | undefined,
  count: number,
): Promise<DueRecovery[]> {
  const isRevoked = sql`exists (select 1 from identities i where i.tenant_id = t.tenant_id and i.environment = t.environment
    and i.id = t.identity_id and i.revoked_at is not null)`;
  const position = after ? sql`and (t.completes_at, t.id) > (${after.completes_at}, ${after.id})` : sql``;
  return db.query<DueRecovery>(sql.query`select t.tenant_id, t.environment, t.id, t.completes_at, t.identity_id, t.for_user_id as user_id,
      ${isRevoked} as is_revoked
    from registration_sessions t join tenants a on a.id = t.tenant_id
    where t.state = 'pending_recovery' and a.status = 'active' ${position}
      and (t.completes_at <= ${now} and ${isFree} or ${isRevoked})
    order by t.completes_at, t.id limit ${count}`);
}
