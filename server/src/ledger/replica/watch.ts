import type { Clock, Timers } from '../../base/clock.js';
import type { Log } from '../../base/telemetry/log.js';
import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';

/** How often the replica's lag is measured, and how long it is not used after a failure. */
const PROBE_MS = 2_000;
/** A replica that is further behind is not used. Lists would show too old a state of what no audit chain covers. */
const MAX_LAG_MS = 5_000;

/** `degraded`: it is too far behind. `down`: it does not respond, or it is no replica of this database. */
export type ReplicaStatus = 'ok' | 'degraded' | 'down';

/** Decides whether the replica is used. */
export interface Watch {
  readonly status: ReplicaStatus;
  /** How far the replica was behind at the last measurement. 0 if it had everything. */
  readonly lagMs: number;
  /** Measures now, and then every two seconds until `stop`. Never throws. */
  start(): Promise<void>;
  stop(): void;
  /** A read failed, so the replica is not used until a later measurement succeeds. */
  fail(error: unknown): void;
}

interface WatchDeps {
  readonly primary: Database;
  readonly replica: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface Mark {
  /** A position of the primary server's log. */
  readonly lsn: string;
  /** When it was the newest. */
  readonly at: number;
}

const SERVER = sql.query`select pg_current_wal_insert_lsn()::text as lsn,
  (select system_identifier::text from pg_control_system()) as system`;

async function compare(replica: Database, now: Mark, earlier: Mark) {
  const [found] = await replica.query<{
    standby: boolean;
    current: boolean;
    reached: boolean;
    system: string;
  }>(
    sql.query`select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn() >= ${now.lsn}::pg_lsn as current,
      pg_last_wal_replay_lsn() >= ${earlier.lsn}::pg_lsn as reached,
      (select system_identifier::text from pg_control_system()) as system`,
  );
  return found as NonNullable<typeof found>;
}

export function createWatch({ primary, replica, clock, timers, log }: WatchDeps): Watch {
  let status: ReplicaStatus = 'down';
  let lagMs = 0;
  /** The oldest position that the replica had not replayed at the last measurement. */
  let mark: Mark | undefined;
  let failures = 0;
  let isRunning = false;
  let isProbing = false;
  let cancel = () => {};

  function become(next: ReplicaStatus, why: Record<string, unknown>, first = false): void {
    if (next === status && !first) return;
    status = next;
    if (next === 'ok') log.info(why, 'the read replica is used');
    else log.warn(why, 'the read replica is not used');
  }

  /** A replica's lag is the age of the oldest position that it has not replayed. */
  function measure({ current, reached }: { current: boolean; reached: boolean }, now: Mark, earlier: Mark) {
    lagMs = current ? 0 : now.at - earlier.at;
    mark = current ? undefined : reached ? now : earlier;
    // A replica that was not in use is used after it has reached a position, not before.
    const isNear = lagMs <= MAX_LAG_MS && (current || reached || status === 'ok');
    return isNear ? 'ok' : 'degraded';
  }

  async function probe(first = false): Promise<void> {
    const [server] = await primary.query<{ lsn: string; system: string }>(SERVER);
    const { lsn, system } = server as NonNullable<typeof server>;
    const now = { lsn, at: clock.now() };
    const earlier = mark ?? now;
    const before = failures;
    try {
      const found = await compare(replica, now, earlier);
      if (before !== failures) return;
      if (found.system !== system)
        return become('down', { because: 'DATABASE_READ_URL is another database' }, first);
      if (!found.standby)
        return become('down', { because: 'DATABASE_READ_URL is not a standby server' }, first);
      become(measure(found, now, earlier), { lagMs });
    } catch (err) {
      mark = earlier;
      become('down', { err }, first);
    }
  }

  async function run(first = false): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    // Without the primary server there is nothing to compare with, and no list is served anyway.
    await probe(first).catch((err: unknown) => log.warn({ err }, 'the read replica could not be measured'));
    isProbing = false;
    schedule();
  }

  function schedule(): void {
    cancel();
    if (isRunning) cancel = timers.after(PROBE_MS, () => void run());
  }

  return {
    get status() {
      return status;
    },
    get lagMs() {
      return lagMs;
    },
    start() {
      isRunning = true;
      return run(true);
    },
    stop() {
      isRunning = false;
      cancel();
    },
    fail(err) {
      failures += 1;
      if (status === 'down') return;
      become('down', { err });
      schedule();
    },
  };
}
