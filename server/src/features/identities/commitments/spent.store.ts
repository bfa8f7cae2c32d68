import { sql } from '../../../db/sql.js';
import { type Read, type Write, within } from '../../../ledger/write.js';

/** Stores keyed hashes of names that nobody can ever use again. */
export async function insertSpent(w: Write, hashes: readonly string[]): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`insert into spent_names (tenant_id, environment, spent)
    select ${tenantId}::uuid, ${environment}, spent from unnest(${hashes}::text[]) as spent on conflict do nothing`);
}

/** Which of these hashes are stored. */
export async function listSpent(read: Read, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await read.query<{ spent: string }>(
    sql.query`select spent from spent_names where ${within(read.scope)} and spent = any(${hashes}::text[])`,
  );
  return new Set(rows.map(({ spent }) => spent));
}

/** Whether anybody was ever erased. */
export async function hasSpent(read: Read): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 from spent_names where ${within(read.scope)} limit 1`);
  return rows.length > 0;
}
