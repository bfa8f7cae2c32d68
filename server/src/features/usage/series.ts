import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import type { Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { countOf, emptyBuckets, percentile } from './histogram.js';
import { listSeries } from './hours.store.js';
import type { SeriesQuery } from './usage.schema.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 90 * DAY_MS;
const MAX_HOURLY_MS = 14 * DAY_MS;
const STEP_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const DEFAULT_RANGE_MS = { hour: 48 * HOUR_MS, day: 30 * DAY_MS } as const;
const MAX_GROUPS = 50;

const startOf = (step: keyof typeof STEP_MS, time: number) => time - (time % STEP_MS[step]);

/** The day 90 days ago is kept whole, so that a series by day can begin with it. */
const oldestKept = (now: number) => startOf('day', now - KEPT_MS);

export const HOURS_EXPIRY: Expiry = {
  table: sql`usage_hours`,
  column: sql`hour`,
  before: (now) => new Date(oldestKept(now)),
};

type Query = Static<typeof SeriesQuery>;

/** The starts of the steps of a series. */
function stepsOf({ from, to, step = 'hour' }: Query, now: number): number[] {
  const end = Math.min(to === undefined ? now : Date.parse(to), now);
  const oldest = oldestKept(now);
  const start = from === undefined ? Math.max(oldest, end - DEFAULT_RANGE_MS[step]) : Date.parse(from);
  if (start < oldest)
    invalid('query.from', 'must not be more than 90 days ago, because older calls are deleted');
  if (start > end) invalid('query.from', 'must not be later than `to`, nor in the future');
  if (step === 'hour' && end - start > MAX_HOURLY_MS)
    invalid('query.from', 'must not be more than 14 days before `to` by hour; use `step=day`');
  const steps: number[] = [];
  for (let at = startOf(step, start); at < end; at += STEP_MS[step]) steps.push(at);
  return steps;
}

/** Counts and durations of the account's calls. Every group has a point for every step, so a chart needs no gaps filled. */
export async function readSeries({
  read,
  scope,
  deps: { clock, meter },
  query,
}: Pick<ScopedContext, 'read' | 'scope'> & { deps: Pick<Deps, 'clock' | 'meter'>; query: Query }) {
  const { by = 'endpoint', step = 'hour' } = query;
  const steps = stepsOf(query, clock.now());
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return { series: [] };
  await meter.flush(scope.tenantId);
  const range = { from: new Date(first), to: new Date(last + STEP_MS[step]) };
  const rows = await listSeries(read, { by, step, ...range, maxGroups: MAX_GROUPS });
  const found = new Map(rows.map((row) => [`${row.at.getTime()} ${row.name}`, row.buckets]));
  const names = [...new Set(rows.map((row) => row.name))].sort();
  const series = steps.flatMap((at) =>
    names.map((key) => {
      const buckets = found.get(`${at} ${key}`) ?? emptyBuckets();
      return {
        at: new Date(at).toISOString(),
        key,
        count: countOf(buckets),
        p50: percentile(buckets, 0.5),
        p95: percentile(buckets, 0.95),
      };
    }),
  );
  return { series };
}
