import type { Database } from '../../../db/db.js';
import { type Query, sql } from '../../../db/sql.js';
import { type Read, within } from '../../../ledger/write.js';
import { COLUMNS, type Opening, opens, type SessionRow } from '../registrations.store.js';

/** A registration as a phone reads it that has opened its first code. */
export interface Opened {
  id: string;
  /** As the desk typed it, or of the existing person. */
  person_name: string | null;
  expires_at: Date;
}

/** The registration of a first code that no phone has taken. */
export async function findOpening(read: Read, opening: Opening, now: Date): Promise<Opened | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] = await read.query<Opened>(sql.query`select t.id, t.expires_at,
      coalesce(u.full_name, t.profile ->> 'fullName') as person_name
    from registration_sessions t left join tenant_users u
      on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.for_user_id
    where ${opens(read.scope, opening, 'pair', now)}`);
  return row;
}

/** The session, but only while the query `credential` returns a row. */
export async function findWhile(read: Read, id: string, credential: Query): Promise<SessionRow | undefined> {
  const [row] = await read.query<SessionRow>(sql.query`select ${COLUMNS} from registration_sessions
    where ${within(read.scope)} and id = ${id} and exists (${credential})`);
  return row;
}

/** The state that streams wait to change, as text. */
export async function registrationStates(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; state: string }>(
    sql.query`select id, concat_ws(' ', state, phone_connected_at) as state
      from registration_sessions where id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
