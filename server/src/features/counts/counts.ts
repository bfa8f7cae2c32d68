import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import { unaudited } from '../../ledger/unaudited.js';
import type { Read } from '../../ledger/write.js';
import * as store from './counts.store.js';

const COUNTS_BATCH_SIZE = 10_000;
const MAX_TENANTS = 1_000;

/** The number of records of each kind. */
export const countAll = (read: Read): Promise<store.Counts> => store.countAll(read);

/** Adds the changes of the counts to the counts, for at most half a minute. */
export async function sumCounts({ db, ...limits }: Pick<Deps, 'db'> & BatchLimits): Promise<void> {
  const w = unaudited(db, 'record counts');
  await inBatches(limits, async () => {
    const tenants = await store.listChanged(w, MAX_TENANTS);
    let isFull = false;
    for (const tenantId of tenants)
      if ((await store.sumChanges(w, tenantId, COUNTS_BATCH_SIZE)) === COUNTS_BATCH_SIZE) isFull = true;
    return isFull || tenants.length === MAX_TENANTS;
  });
}
