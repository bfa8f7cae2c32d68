import { expireSessions } from './features/registrations/registrations.js';
import { sql } from './kernel/db/sql.js';
import type { Deps } from './kernel/deps.js';
import { leadsKeptSince } from './model/lead-retention.js';

export { startAnchoring } from './features/anchors/anchors.js';

const EVERY_MS = 60_000;
const ROWS_AT_ONCE = 1_000;
/** How long a pairing is remembered, without its tokens. */
const PAIRINGS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** What can no longer matter is deleted, a little at a time: it was refused from its expiry on in any case. */
export async function deleteExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock.now());
  await db.query(sql`delete from spent_nonces where ctid = any (array(
    select ctid from spent_nonces where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from one_time_codes where ctid = any (array(
    select ctid from one_time_codes where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from refresh_tokens where ctid = any (array(
    select ctid from refresh_tokens where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from sessions where ctid = any (array(
    select ctid from sessions where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`update proof_pairing_sessions set desktop_refresh_sealed = null
    where desktop_refresh_sealed is not null and expires_at < ${now}`);
  await db.query(sql`delete from proof_pairing_sessions where ctid = any (array(
    select ctid from proof_pairing_sessions where expires_at < ${new Date(clock.now() - PAIRINGS_KEPT_MS)}
    limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from sso_requests where ctid = any (array(
    select ctid from sso_requests where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from demo_idp_codes where ctid = any (array(
    select ctid from demo_idp_codes where expires_at < ${now} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`delete from leads where ctid = any (array(
    select ctid from leads where created_at < ${leadsKeptSince(clock.now())} limit ${ROWS_AT_ONCE}))`);
  await db.query(sql`update refresh_tokens set retry_answer = null
    where retry_answer is not null and used_at < ${new Date(clock.now() - EVERY_MS)}`);
}

export function startHousekeeping(deps: Deps): NodeJS.Timeout {
  return setInterval(() => {
    Promise.all([deleteExpired(deps), expireSessions(deps)]).catch((err: unknown) =>
      deps.log.warn({ err }, 'housekeeping failed'),
    );
  }, EVERY_MS).unref();
}
