import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { Write } from '../../ledger/write.js';
import type { Environment } from '../../model/environment.js';

const LACKING = sql`s.tenant_id is null
  and exists (select 1 from tenants a where a.id = h.tenant_id and a.status <> 'closed')`;

/** Chains that do not say yet that their records are sealed. Closed accounts have no records. */
export async function listUnsealed(db: Database, count: number): Promise<Scope[]> {
  const rows = await db.query<{
    tenant_id: string;
    environment: Environment;
  }>(sql.query`select h.tenant_id, h.environment
    from audit_heads h left join sealed_chains s on s.tenant_id = h.tenant_id and s.environment = h.environment
    where ${LACKING}
    order by h.tenant_id, h.environment limit ${count}`);
  return rows.map((row) => ({ tenantId: row.tenant_id, environment: row.environment }));
}

/** How many there are. */
export async function countUnsealed(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql.query`select count(*)::int as count
    from audit_heads h left join sealed_chains s on s.tenant_id = h.tenant_id and s.environment = h.environment
    where ${LACKING}`);
  return row?.count ?? 0;
}

/** False if another node has recorded it first. */
export async function recordSealed({ scope, mutate }: Write, now: Date): Promise<boolean> {
  const rows = await mutate(sql.mutation`insert into sealed_chains (tenant_id, environment, sealed_at)
    values (${scope.tenantId}, ${scope.environment}, ${now}) on conflict do nothing returning 1`);
  return rows.length > 0;
}
