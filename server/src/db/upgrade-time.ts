import type { Database } from './db.js';
import { sql } from './sql.js';

/** A rolling upgrade replaces the nodes of the previous version within this time. */
const UPGRADE_MS = 60 * 60_000;

/** Whether no node runs any more that does not know a migration: an hour after it. */
export async function isUpgraded(db: Database, migration: string, now: number): Promise<boolean> {
  const [row] = await db.query<{ applied_at: Date }>(
    sql.query`select applied_at from schema_migrations where name = ${migration}`,
  );
  return row !== undefined && now >= row.applied_at.getTime() + UPGRADE_MS;
}
