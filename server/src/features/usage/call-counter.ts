import { setImmediate } from 'node:timers/promises';
import { createLoader } from '../../base/concurrency/loader.js';
import { sharingRuns } from '../../base/concurrency/sharing.js';
import type { Log } from '../../base/telemetry/log.js';
import type { RejectedCall } from '../../http/deps.js';
import { createHourCounts, type HourCount } from './hour-counts.js';
import { createLogLimit } from './log-limit.js';
import { createRejectionCounts, type RejectionCount } from './rejections/rejection-counts.js';
import type { Admission, MonthChange, RecentCall } from './usage.store.js';

/** The statements that write counts: for all tenants on one machine, or for one tenant each. */
export interface CountStatements {
  /** How many calls of each tenant and month were counted, or why not; nothing for a month that has no row yet. */
  admit(admissions: readonly Admission[]): Promise<Map<string, number | Error>>;
  /** What one statement writes. */
  split<T extends { readonly tenantId: string }>(items: readonly T[]): readonly (readonly T[])[];
  add(changes: readonly MonthChange[]): Promise<void>;
  addRecent(calls: readonly RecentCall[]): Promise<void>;
  /** Deletes the calls of these tenants that are too many. */
  deleteOld(tenantIds: readonly string[]): Promise<void>;
  addHours(counts: readonly HourCount[]): Promise<void>;
  addRejections(counts: readonly RejectionCount[]): Promise<void>;
}

export interface CallCounter {
  /** Whether a call was counted; undefined if its month has no row yet. */
  admit(call: Admission): Promise<boolean | undefined>;
  /** Adds to a month. Resolves when it was written, or will be retried. */
  add(change: MonthChange): Promise<void>;
  /** Keeps a call, in the list of recent calls and in the counts of its hour, for the next `flushRecent`. */
  remember(call: RecentCall): void;
  /** Counts a rejected call, for the next `flushRecent`. */
  reject(call: RejectedCall): void;
  flushCalls(): Promise<void>;
  flushRecent(): Promise<void>;
}

/** Calls that wait to be logged. If they cannot be written, the oldest are dropped. */
const MAX_WAITING = 5_000;
const DROPPED_TOGETHER = 500;

/** A tenant's month. */
export const keyOf = ({ tenantId, month }: MonthChange): string => `${month}|${tenantId}`;

/** Counts calls in batches: those that arrive while a statement runs share the next. */
export function createCallCounter(statements: CountStatements, log: Log): CallCounter {
  let changes: MonthChange[] = [];
  let recent: RecentCall[] = [];
  const hours = createHourCounts();
  const rejections = createRejectionCounts();
  const limit = createLogLimit();

  const admit = createLoader<Admission, boolean | Error>(async (calls) =>
    firstOf(calls, await statements.admit(sumByMonth(calls))),
  );

  async function writeCalls(): Promise<void> {
    // Calls that end in the same turn, for example those of one transaction, share the flush.
    await setImmediate();
    const parts = [...statements.split(sumByMonth(changes))];
    changes = [];
    for (let part = parts.shift(); part; part = parts.shift())
      try {
        await statements.add(part);
      } catch (error) {
        // The next part would probably wait for the same machine. The part that failed is retried last.
        changes = [...parts.flat(), ...part, ...changes];
        log.warn({ err: error }, 'usage could not be written and will be retried');
        return;
      }
  }

  async function writeRecent(): Promise<void> {
    const parts = statements.split(recent);
    recent = [];
    try {
      for (const part of parts) {
        const calls = limit.choose(part);
        if (calls.length === 0) continue;
        await statements.addRecent(calls);
        const full = limit.full(calls);
        if (full.length === 0) continue;
        await statements.deleteOld(full);
        limit.reset(full);
      }
    } catch (error) {
      log.warn({ err: error }, 'recent calls were not written');
    }
  }

  /** Writes counts, or keeps those that could not be written for the next time. */
  async function writeCounts<T extends { readonly tenantId: string }>(
    counts: { take(): T[]; restore(counts: readonly T[]): void },
    add: (part: readonly T[]) => Promise<void>,
    name: string,
  ): Promise<void> {
    const parts = [...statements.split(counts.take())];
    for (let part = parts.shift(); part; part = parts.shift())
      try {
        await add(part);
      } catch (error) {
        counts.restore([...parts.flat(), ...part]);
        log.warn({ err: error }, `${name} could not be written and will be retried`);
        return;
      }
  }

  const flushCalls = sharingRuns(writeCalls);

  return {
    async admit(call) {
      const outcome = await admit(call);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    add(change) {
      changes.push(change);
      return flushCalls();
    },
    remember(call) {
      recent.push(call);
      if (recent.length > MAX_WAITING) recent.splice(0, DROPPED_TOGETHER);
      if (!hours.add(call)) log.warn('a call is missing in the series, because too many wait to be written');
    },
    reject: rejections.add,
    flushCalls,
    flushRecent: sharingRuns(async () => {
      await writeRecent();
      await writeCounts(hours, statements.addHours, 'the calls of the hour');
      await writeCounts(rejections, statements.addRejections, 'rejected calls');
    }),
  };
}

/** One change for each tenant and month. */
function sumByMonth<C extends MonthChange>(changes: readonly C[]): C[] {
  const sums = new Map<string, C>();
  for (const change of changes) {
    const sum = sums.get(keyOf(change))?.calls ?? 0;
    sums.set(keyOf(change), { ...change, calls: sum + change.calls });
  }
  return [...sums.values()];
}

/** Admits the first calls of each tenant, in the order of their arrival. */
function firstOf(
  calls: readonly Admission[],
  admitted: ReadonlyMap<string, number | Error>,
): Map<Admission, boolean | Error> {
  const room = new Map(admitted);
  const decided = new Map<Admission, boolean | Error>();
  for (const call of calls) {
    const left = room.get(keyOf(call));
    if (left === undefined) continue;
    if (typeof left === 'number') room.set(keyOf(call), left - 1);
    decided.set(call, typeof left === 'number' ? left > 0 : left);
  }
  return decided;
}
