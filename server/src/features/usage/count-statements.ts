import { DatabaseUnavailableError } from '../../db/db.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type CountStatements, keyOf } from './call-counter.js';
import { addHours, addTenantHours } from './hours.store.js';
import { addRejections, addTenantRejections } from './rejections/rejections.store.js';
import {
  addTenantCalls,
  addTenantRecentCalls,
  admitTenantCalls,
  deleteOldTenantCalls,
} from './tenant-usage.store.js';
import { addCalls, addRecentCalls, admitCalls, deleteOldCalls } from './usage.store.js';

type Write = UnauditedWrite<'usage'>;

/** On one machine: a statement for all tenants. */
export const allTenants = (w: Write): CountStatements => ({
  async admit(admissions) {
    const admitted = await admitCalls(w, admissions);
    return new Map(admitted.map((month) => [keyOf(month), month.calls]));
  },
  split: (items) => (items.length > 0 ? [items] : []),
  add: (changes) => addCalls(w, changes),
  addRecent: (calls) => addRecentCalls(w, calls),
  deleteOld: (tenantIds) => deleteOldCalls(w, tenantIds),
  addHours: (counts) => addHours(w, counts),
  addRejections: (counts) => addRejections(w, counts),
});

/** On several machines: a statement for each tenant, one after the other, so these take one connection at most. */
export function eachTenant(db: Write): CountStatements {
  const w = oneAtATime(db);
  return {
    async admit(admissions) {
      const outcomes = new Map<string, number | Error>();
      let lost: DatabaseUnavailableError | undefined;
      for (const admission of admissions)
        try {
          // The others would probably wait for the same machine.
          if (lost) throw lost;
          outcomes.set(keyOf(admission), await admitTenantCalls(w, admission));
        } catch (error) {
          if (error instanceof DatabaseUnavailableError) lost = error;
          outcomes.set(keyOf(admission), error as Error);
        }
      return outcomes;
    },
    split: byTenant,
    async add(changes) {
      for (const change of changes) await addTenantCalls(w, change);
    },
    async addRecent(calls) {
      const [first] = calls;
      if (first) await addTenantRecentCalls(w, first.tenantId, calls);
    },
    async deleteOld(tenantIds) {
      for (const tenantId of tenantIds) await deleteOldTenantCalls(w, tenantId);
    },
    async addHours(counts) {
      const [first] = counts;
      if (first) await addTenantHours(w, first.tenantId, counts);
    },
    async addRejections(counts) {
      const [first] = counts;
      if (first) await addTenantRejections(w, first.tenantId, counts);
    },
  };
}

function byTenant<T extends { readonly tenantId: string }>(items: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.tenantId);
    if (group) group.push(item);
    else groups.set(item.tenantId, [item]);
  }
  return [...groups.values()];
}

function oneAtATime(w: Write): Write {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...w,
    mutate<R extends object>(statement: Parameters<Write['mutate']>[0]) {
      const done = last.then(() => w.mutate<R>(statement));
      last = done.catch(() => undefined);
      return done;
    },
  };
}
