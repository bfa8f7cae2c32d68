import type { NotedEntry } from '@svc/zk/records/chain-notes';
import { SEALED_KINDS } from '@svc/zk/records/kinds';
import { join, type Sql, sql } from '../../../db/sql.js';
import { headQuery } from '../../../ledger/read-events.js';
import { type Read, within } from '../../../ledger/write.js';

/** Positions in a chain, including both. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

async function listNoted(read: Read, { from, to }: Part, condition: Sql): Promise<NotedEntry[]> {
  const rows = await read.query<Omit<NotedEntry, 'createdAt'> & { readonly createdAt: Date }>(
    sql.query`select seq, action, actor_type as "actorType", actor_id as "actorId", entity_type as "entityType",
      entity_id as "entityId", status, created_at as "createdAt", metadata
    from audit_events where ${within(read.scope)} and seq between ${from} and ${to} and (${condition}) order by seq`,
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** Entries that say which records may be missing or have no text, and from when on all are sealed. */
export const listAboutAll = (read: Read, part: Part): Promise<NotedEntry[]> =>
  listNoted(read, part, sql`action in ('user.erased', 'tenant.retention_applied', 'chain.records_sealed')`);

/** Entries that name some records, with those that may have removed them or the text of people. */
export function listAbout(
  read: Read,
  part: Part,
  ids: readonly string[],
  erased: readonly string[] | 'anybody',
): Promise<NotedEntry[]> {
  const named = SEALED_KINDS.map((kind) => sql`metadata ->> ${`${kind}Id`} = any(${ids}::text[])`);
  return listNoted(
    read,
    part,
    sql`entity_id = any(${ids}::text[]) or ${join(named, ' or ')} or action in ('tenant.retention_applied', 'chain.records_sealed')
      or (action = 'user.erased' and ${erased === 'anybody' ? sql`true` : sql`entity_id = any(${erased}::text[])`})`,
  );
}

/** The number of the newest entry. */
export async function readHead(read: Read): Promise<number> {
  const [head] = await read.query<{ seq: number }>(headQuery(read.scope));
  return head?.seq ?? 0;
}

export async function findEntryId(read: Read, seq: number): Promise<string | undefined> {
  const [row] = await read.query<{ id: string }>(
    sql.query`select id from audit_events where ${within(read.scope)} and seq = ${seq}`,
  );
  return row?.id;
}
