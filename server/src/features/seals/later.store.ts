import { WRITE_ONCE } from '@svc/zk/records/judge';
import { SEALED_FIELDS, type SealedKind } from '@svc/zk/records/kinds';
import type { Database } from '../../db/db.js';
import { type Mutation, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';
import { recordOf, type SealedTable, type StoredRecord } from '../../records/seals/sealed-rows.js';

/** The chains after that one that say that each new record is sealed. */
export async function listSealedChains(
  db: Database,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  count: number,
): Promise<Scope[]> {
  const rows = await db.query<{ tenant_id: string; environment: Environment }>(
    sql.query`select tenant_id, environment from sealed_chains where (tenant_id, environment) > (${tenantId}, ${environment})
      order by tenant_id, environment limit ${count}`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment }));
}

/** Erased people have no text any more that a seal could be of. */
const unsealed = (kind: SealedKind) =>
  kind === 'user' ? sql`seal_n is null and erased_at is null` : sql`seal_n is null`;

export interface UnsealedRecord {
  readonly id: string;
  /** As the API returns it. Undefined if it cannot be shown, because somebody has set one of its times to infinity. */
  readonly record: StoredRecord['record'] | undefined;
}

/** The records after that one without a seal, locked. What another write has locked is left out. */
export async function lockUnsealed(
  w: Write,
  { kind, table, of }: SealedTable,
  after: string,
  count: number,
): Promise<UnsealedRecord[]> {
  const rows = await w.query<{ id: string }>(sql.query`select ${of.list} from ${table}
    where ${within(w.scope)} and ${unsealed(kind)} and id > ${after} order by id limit ${count} for update skip locked`);
  return rows.map((row) => ({ id: row.id, record: recordOf(of, row) }));
}

export async function countUnsealed(read: Read, { kind, table }: SealedTable): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    sql.query`select count(*)::int as count from ${table} where ${within(read.scope)} and ${unsealed(kind)}`,
  );
  return row?.count ?? 0;
}

export interface RecordSalts {
  readonly id: string;
  readonly facts: string;
  readonly text: string;
}

/** Stores what the seals of these records are made of. */
export function setSeals(
  { scope }: Write,
  { kind, table }: SealedTable,
  salts: readonly RecordSalts[],
  now: Date,
): Mutation {
  const n = SEALED_FIELDS[kind].length;
  const sealedAt = WRITE_ONCE.has(kind) ? sql`` : sql`, sealed_at = ${now}`;
  return sql.mutation`update ${table} t set seal_n = ${n}, facts_salt = made.facts, text_salt = made.text ${sealedAt}
    from unnest(${salts.map(({ id }) => id)}::uuid[], ${salts.map(({ facts }) => facts)}::text[],
      ${salts.map(({ text }) => text)}::text[]) as made (id, facts, text)
    where ${within(scope, 't')} and t.id = made.id`;
}
