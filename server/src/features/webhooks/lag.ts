import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';

/**
 * How many seconds the oldest event has waited for its first attempt. The heads limit it to one look-up for each webhook that is
 * behind. A receiver whose last attempt failed is not counted: its tenant must repair it.
 */
export async function webhookLagSeconds(db: Database, now: number): Promise<number> {
  const [row] = await db.query<{ oldest: Date | null }>(sql.query`select min(e.created_at) as oldest
    from webhooks t join audit_events e on e.tenant_id = t.tenant_id and e.environment = t.environment and e.seq = t.cursor_seq + 1
      join audit_heads h on h.tenant_id = t.tenant_id and h.environment = t.environment and h.seq > t.cursor_seq
      join tenants a on a.id = t.tenant_id and a.status = 'active'
    where t.status = 'active' and t.consecutive_failures = 0`);
  return row?.oldest ? Math.max(0, now - row.oldest.getTime()) / 1000 : 0;
}
