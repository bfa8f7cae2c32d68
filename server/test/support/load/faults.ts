import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { APPLICATION } from '../../../src/db/pg.js';
import type { Seeded } from '../seeded.js';

/** Between the beginnings of two locks. */
const PERIOD_MS = 20_000;
/** Longer than the service waits for a lock. */
const LONG_LOCK_MS = 12_000;
const TABLES = [
  'devices',
  'audit_heads',
  'tenant_users',
  'verifications',
  'idempotency_keys',
  'audit_events',
  'proof_pairing_sessions',
  'api_keys',
  'refresh_tokens',
  'webhooks',
];

export interface FaultCounts {
  /** By table. */
  readonly locked: Record<string, number>;
  cancelledWaits: number;
  terminated: number;
}

/** Locks tables, one after the other, and cancels or terminates some backends of the service, until it is stopped. */
export async function startFaults(url: string, random: Seeded, counts: FaultCounts) {
  const stopping = new AbortController();
  const client = new pg.Client(url);
  await client.connect();
  // PostgreSQL then aborts a transaction of the service if there is a deadlock, not this one.
  await client.query(`set deadlock_timeout = '10min'`);
  const wait = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
  let turn = Object.values(counts.locked).reduce((sum, count) => sum + count, 0);

  const backends = async (condition = 'true') =>
    (
      await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = $1 and ${condition} order by pid`,
        [APPLICATION],
      )
    ).rows.map(({ pid }) => pid);

  async function lock(): Promise<void> {
    const table = TABLES[turn % TABLES.length] as string;
    const isLong = turn % 5 === 1;
    turn += 1;
    counts.locked[table] = (counts.locked[table] ?? 0) + 1;
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    await wait(isLong ? LONG_LOCK_MS : random.between(2_000, 5_000));
    const waiting = await backends(`wait_event_type = 'Lock'`);
    for (const pid of random.sample(waiting, 2)) {
      await client.query('select pg_cancel_backend($1)', [pid]);
      counts.cancelledWaits += 1;
    }
    await client.query('rollback');
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      await wait(random.between(1_000, 4_000));
      if (stopping.signal.aborted) return;
      await lock();
      const all = await backends();
      if (all.length > 0) {
        await client.query('select pg_terminate_backend($1)', [random.pick(all)]);
        counts.terminated += 1;
      }
      await wait(PERIOD_MS - (Date.now() - startedAt));
    }
  }

  const working = work();
  working.catch(() => {});
  return async () => {
    stopping.abort();
    await working;
    await client.end();
  };
}
