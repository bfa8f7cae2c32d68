import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import type { OutcomesQuery } from './outcomes.schema.js';
import * as store from './outcomes.store.js';
import { METHODS, RESULTS } from './verifications.schema.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_RANGE_MS = 14 * DAY_MS;
/** Of each method and result. An account that has more in 14 days sees the newest hours. */
const MAX_COUNTED = 100_000;
/** Of each method, where rows are read from the table. */
const MAX_READ = 10_000;
const MAX_REASONS = 50;

const KINDS = METHODS.flatMap((method) => RESULTS.map((result) => ({ method, result })));

const startOfHour = (time: number) => time - (time % HOUR_MS);

/** Whole hours of UTC, by default the last 24. */
function rangeOf({ from, to }: Static<typeof OutcomesQuery>, now: number): { from: number; to: number } {
  const end = startOfHour((to === undefined ? now + 1 : Date.parse(to)) + HOUR_MS - 1);
  const start = from === undefined ? end - DAY_MS : startOfHour(Date.parse(from));
  if (start > end) invalid('query.from', 'must not be later than `to`');
  if (end - start > MAX_RANGE_MS) invalid('query.from', 'must not be more than 14 days before `to`');
  return { from: start, to: end };
}

/** The earliest hour that is counted as a whole: the one after the last hour of a combination that has more than are counted. */
function wholeFrom(rows: readonly store.HourCount[], start: number): number {
  let whole = start;
  for (const { method, result } of KINDS) {
    const own = rows.filter((row) => row.method === method && row.result === result);
    const sum = own.reduce((total, { count }) => total + count, 0);
    if (sum < MAX_COUNTED) continue;
    const oldest = Math.min(...own.map(({ hour }) => hour.getTime()));
    whole = Math.max(whole, oldest + HOUR_MS);
  }
  return whole;
}

/** Verifications by hour and result, and why some failed. Every hour of the range has a point, so a chart needs no gaps filled. */
export async function readOutcomes(
  read: Read,
  { clock }: Pick<Deps, 'clock'>,
  query: Static<typeof OutcomesQuery>,
) {
  const { from, to } = rangeOf(query, clock.now());
  const range = { from: new Date(from), to: new Date(to) };
  const [rows, reasons] = await Promise.all([
    store.countHours(read, KINDS, range, MAX_COUNTED),
    store.countReasons(read, METHODS, range, { newest: MAX_READ, reasons: MAX_REASONS }),
  ]);
  const first = wholeFrom(rows, from);
  const hours = Array.from({ length: (to - first) / HOUR_MS }, (_, at) => ({
    at: new Date(first + at * HOUR_MS).toISOString(),
    pass: 0,
    fail: 0,
    challenge: 0,
  }));
  for (const { hour, result, count } of rows) {
    const counts = hours[(hour.getTime() - first) / HOUR_MS];
    if (counts) counts[result] += count;
  }
  return { hours, reasons };
}

/** How many people passed a verification since a moment. */
export const countPeople = (read: Read, since: number): Promise<number> =>
  store.countPeople(read, METHODS, new Date(since), MAX_READ);

/** Newest failures of each method that are looked through, and people that are listed. */
const REFUSED = { newest: 200, people: 20 };

/** People whose newest verification since a moment failed. The newest first. */
export async function listRefused(read: Read, since: number) {
  const rows = await store.listRefused(read, METHODS, new Date(since), REFUSED);
  return rows.map((row) => ({
    userId: row.user_id,
    userName: row.full_name,
    method: row.method,
    reason: row.reason,
    at: iso(row.occurred_at),
  }));
}
