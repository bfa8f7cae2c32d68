import type { Database } from '../../db/db.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Write } from '../../ledger/write.js';

const DAYS = sql`(security_policy ->> 'retention_days')::integer`;

/** An account that is closing loses nothing, so that reopening it gives everything back. */
const IS_KEPT_UP: Sql = sql`status in ('active', 'suspended', 'deactivated') and security_policy ? 'retention_days'`;

/** Accounts that delete old records, in the order of their ids. */
export function listAccounts(
  db: Database,
  after: string,
  limit: number,
): Promise<{ id: string; days: number }[]> {
  return db.query(sql.query`select id, ${DAYS} as days from tenants
    where id > ${after} and ${IS_KEPT_UP} order by id limit ${limit}`);
}

/** The policy as it is now. Undefined if the account keeps old records. */
export async function readDays(w: Write): Promise<number | undefined> {
  const [row] = await w.query<{ days: number }>(
    sql.query`select ${DAYS} as days from tenants where id = ${w.scope.tenantId} and ${IS_KEPT_UP}`,
  );
  return row?.days;
}
