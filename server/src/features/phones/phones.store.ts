import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

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

export interface OpenRecoveryRow {
  id: string;
  recovery_opened_at: Date;
  completes_at: Date;
  contested_at: Date | null;
}

/** The recoveries of a person that have not ended. */
export function listOpenRecoveries(read: Read, userId: string): Promise<OpenRecoveryRow[]> {
  return read.query<OpenRecoveryRow>(sql.query`select id, recovery_opened_at, completes_at, contested_at
    from registration_sessions where ${within(read.scope)} and state = 'pending_recovery' and for_user_id = ${userId}
      and recovery_opened_at is not null
    order by id desc limit 20`);
}
