import type { Database } from '../../../db/db.js';
import { sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { findNewest } from '../../../ledger/read-events.js';
import type { UnauditedWrite } from '../../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../../ledger/write.js';
import type { Environment } from '../../../model/environment.js';

const CHAIN_NEEDS_NO_MORE = 'chain.leaves_complete';

/** Chains whose identities may lack leaves, in order, after that one. Closed accounts have no identities. */
export async function listIncomplete(
  db: Database,
  after: Scope | undefined,
  count: number,
): Promise<Scope[]> {
  const rows = await db.query<{
    tenant_id: string;
    environment: Environment;
  }>(sql.query`select h.tenant_id, h.environment
    from audit_heads h left join leaf_chains l on l.tenant_id = h.tenant_id and l.environment = h.environment
    where l.tenant_id is null and exists (select 1 from tenants a where a.id = h.tenant_id and a.status <> 'closed') ${
      after
        ? sql`and (h.tenant_id, h.environment) > (${after.tenantId}::uuid, ${after.environment}::text)`
        : sql``
    } order by h.tenant_id, h.environment limit ${count}`);
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment }));
}

/** Whether the table says that the chain needs no more leaves. */
export async function isRecorded(read: Read): Promise<boolean> {
  const rows = await read.query(sql.query`select 1 from leaf_chains where ${within(read.scope)}`);
  return rows.length > 0;
}

/** Whether the chain itself says so. Reads the whole chain, newest events first. */
export const isInChain = async (read: Read): Promise<boolean> =>
  (await findNewest(read, sql`seq`, sql`action = ${CHAIN_NEEDS_NO_MORE}`)) !== undefined;

/** Whether the chain needs no more leaves. Its own word counts even if the row in the table was deleted. */
export const isComplete = async (read: Read): Promise<boolean> =>
  (await isRecorded(read)) || (await isInChain(read));

const insertRow = ({ tenantId, environment }: Scope, now: Date) =>
  sql.mutation`insert into leaf_chains (tenant_id, environment, completed_at)
    values (${tenantId}, ${environment}, ${now}) on conflict do nothing`;

export async function recordComplete(w: Write, now: Date): Promise<void> {
  await w.mutate(insertRow(w.scope, now));
}

/** Puts the row back after somebody deleted it. */
export async function restoreComplete(
  w: UnauditedWrite<'leaf chains'>,
  scope: Scope,
  now: Date,
): Promise<void> {
  await w.mutate(insertRow(scope, now));
}
