import type { Database } from '../db/db.js';
import { type BatchLimits, inBatches } from '../db/in-batches.js';
import { unaudited } from '../ledger/unaudited.js';
import type { Read } from '../ledger/write.js';
import * as store from './counts.store.js';
import { exactly, type Total, totalOf } from './list.js';

const COUNTS_BATCH_SIZE = 10_000;
const MAX_TENANTS = 1_000;

/** The number of records of each kind. */
export const countAll = (read: Read): Promise<store.Counts> => store.countAll(read);

/** How many verifications occurred on each of these days (UTC) with each of these results. */
export async function countByDay<Result extends string>(
  read: Read,
  days: readonly string[],
  results: readonly Result[],
): Promise<({ day: string } & Record<Result, number>)[]> {
  const rows = await store.countVerificationDays(read, days, results);
  const found = new Map(rows.map(({ day, result, records }) => [`${day} ${result}`, records]));
  return days.map((day) => {
    const counts = results.map((result) => [result, found.get(`${day} ${result}`) ?? 0]);
    return { day, ...(Object.fromEntries(counts) as Record<Result, number>) };
  });
}

/** Parameters of a list that exclude no record. */
const UNFILTERED: ReadonlySet<string> = new Set([
  'environment',
  'sort',
  'limit',
  'cursor',
  'format',
  'include',
]);

/** The total of a list: the number of all records, or of those that the list's own function counts if it has a filter. */
export async function countMatching<Query extends object>(
  read: Read,
  kind: store.CountedKind,
  query: Query,
  countFiltered: (read: Read, query: Query) => Promise<number>,
): Promise<Total> {
  const isFiltered = Object.entries(query).some(
    ([name, value]) => value !== undefined && !UNFILTERED.has(name),
  );
  return isFiltered
    ? totalOf(await countFiltered(read, query))
    : exactly(await store.countRecords(read, kind));
}

/** Adds the changes of the counts to the counts, for at most half a minute. */
export async function sumCounts({ db, ...limits }: { readonly db: Database } & BatchLimits): Promise<void> {
  const w = unaudited(db, 'record counts');
  await inBatches(limits, async () => {
    const tenants = await store.listChanged(w, MAX_TENANTS);
    let isFull = false;
    for (const tenantId of tenants)
      if ((await store.sumChanges(w, tenantId, COUNTS_BATCH_SIZE)) === COUNTS_BATCH_SIZE) isFull = true;
    return isFull || tenants.length === MAX_TENANTS;
  });
}
