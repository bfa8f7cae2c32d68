import type { Database } from '../../../db/db.js';
import { sql } from '../../../db/sql.js';
import type { Scope } from '../../../ledger/audit-store.js';

/** Whose sign-in this is: the address of the page does not say. */
export async function findScope(db: Database, id: string): Promise<Scope | undefined> {
  const [row] = await db.query<{ tenant_id: string; environment: Scope['environment'] }>(
    sql.query`select tenant_id, environment from oidc_state where id = ${id} and kind = 'Interaction'`,
  );
  return row && { tenantId: row.tenant_id, environment: row.environment };
}
