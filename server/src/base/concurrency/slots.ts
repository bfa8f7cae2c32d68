/** Grants connections to tenants in turn. */
export interface Slots {
  /** Resolves with a function that gives the slot back, or with undefined after the signal. */
  take(tenantId: string, isUnproven: boolean, signal: AbortSignal): Promise<(() => void) | undefined>;
  readonly size: number;
}

interface Waiting {
  readonly tenantId: string;
  readonly isUnproven: boolean;
  readonly grant: (release: (() => void) | undefined) => void;
}

interface Count {
  all: number;
  unproven: number;
}

/**
 * Half of the connections, of a node and of each tenant, are kept for receivers that accepted their last delivery. Each of the others
 * may take a connection for as long as a request may take.
 */
export function createSlots(maxSlots: number, maxTenantSlots: number): Slots {
  const total: Count = { all: 0, unproven: 0 };
  const byTenant = new Map<string, Count>();
  /** Tenants in turn: the one that was served last is at the end. */
  const queues = new Map<string, Set<Waiting>>();

  const fits = (count: Count, max: number, isUnproven: boolean) =>
    count.all < max && !(isUnproven && count.unproven >= max / 2);

  const isFree = ({ tenantId, isUnproven }: Waiting) =>
    fits(total, maxSlots, isUnproven) &&
    fits(byTenant.get(tenantId) ?? { all: 0, unproven: 0 }, maxTenantSlots, isUnproven);

  function add({ tenantId, isUnproven }: Waiting, by: 1 | -1): void {
    const own = byTenant.get(tenantId) ?? { all: 0, unproven: 0 };
    for (const count of [total, own]) {
      count.all += by;
      if (isUnproven) count.unproven += by;
    }
    if (own.all > 0) byTenant.set(tenantId, own);
    else byTenant.delete(tenantId);
  }

  function remove(waiting: Waiting): void {
    const queue = queues.get(waiting.tenantId);
    queue?.delete(waiting);
    if (queue?.size === 0) queues.delete(waiting.tenantId);
  }

  function grant(waiting: Waiting): void {
    add(waiting, 1);
    let isHeld = true;
    waiting.grant(() => {
      if (!isHeld) return;
      isHeld = false;
      add(waiting, -1);
      serve();
    });
  }

  /** One request of each tenant, until none fits. */
  function serve(): void {
    for (let served = true; served && total.all < maxSlots; ) {
      served = false;
      for (const [tenantId, queue] of [...queues]) {
        const next = [...queue].find(isFree);
        if (next === undefined) continue;
        remove(next);
        if (queue.size > 0) {
          queues.delete(tenantId);
          queues.set(tenantId, queue);
        }
        served = true;
        grant(next);
      }
    }
  }

  return {
    take(tenantId, isUnproven, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const abort = () => {
          remove(waiting);
          resolve(undefined);
        };
        const waiting: Waiting = {
          tenantId,
          isUnproven,
          grant(release) {
            signal.removeEventListener('abort', abort);
            resolve(release);
          },
        };
        if (isFree(waiting) && !queues.has(tenantId)) return grant(waiting);
        signal.addEventListener('abort', abort, { once: true });
        const queue = queues.get(tenantId) ?? new Set();
        queues.set(tenantId, queue.add(waiting));
        serve();
      });
    },
    get size() {
      return total.all;
    },
  };
}
