import { sql } from './kernel/db/sql.js';
import type { Deps } from './kernel/deps.js';

const EVERY_MS = 60_000;
const ROWS_AT_ONCE = 1_000;

/** What can no longer matter is deleted, a little at a time: it was refused from its expiry on in any case. */
async function deleteExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock.now());
  await db.query(sql`delete from spent_nonces where ctid = any (array(
    select ctid from spent_nonces where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from refresh_tokens where ctid = any (array(
    select ctid from refresh_tokens where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from sessions where ctid = any (array(
    select ctid from sessions where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`update refresh_tokens set retry_answer = null
    where retry_answer is not null and used_at < ${new Date(clock.now() - EVERY_MS)}`);
}

export function startHousekeeping(deps: Pick<Deps, 'db' | 'clock' | 'log'>): NodeJS.Timeout {
  return setInterval(() => {
    deleteExpired(deps).catch((err: unknown) => deps.log.warn({ err }, 'housekeeping failed'));
  }, EVERY_MS).unref();
}
