import type { RejectedCall } from '../../../http/deps.js';
import type { Environment } from '../../../model/environment.js';

const MINUTE_MS = 60_000;
/** Rows that wait to be written: a minute of more than 1,000 accounts. Calls beyond that are not counted. */
const MAX_ROWS = 5_000;

/** The calls of an environment that were rejected in a minute with one error code. */
export interface RejectionCount {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly minute: Date;
  readonly error: RejectedCall['error'];
  readonly calls: number;
}

export interface RejectionCounts {
  add(call: RejectedCall): void;
  /** All counts since the last time. */
  take(): RejectionCount[];
  /** Adds counts that could not be written. */
  restore(counts: readonly RejectionCount[]): void;
}

/** Adds rejected calls up in memory, so that each costs no statement, however many a client sends. */
export function createRejectionCounts(): RejectionCounts {
  let entries = new Map<string, RejectionCount & { calls: number }>();

  function increase(minute: number, { calls, ...rest }: Omit<RejectionCount, 'minute'>): void {
    const key = `${rest.tenantId} ${rest.environment} ${minute} ${rest.error}`;
    const entry = entries.get(key);
    if (entry) entry.calls += calls;
    else if (entries.size < MAX_ROWS) entries.set(key, { ...rest, minute: new Date(minute), calls });
  }

  return {
    add({ principal: { tenant, environment }, error, at }) {
      increase(at - (at % MINUTE_MS), { tenantId: tenant.id, environment, error, calls: 1 });
    },
    take() {
      const taken = [...entries.values()];
      entries = new Map();
      return taken;
    },
    restore(counts) {
      for (const { minute, ...count } of counts) increase(minute.getTime(), count);
    },
  };
}
