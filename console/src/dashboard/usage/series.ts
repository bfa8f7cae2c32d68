import type { Operations } from '@svc/sdk';

export type Point = Operations['consoleGetUsageSeries']['reply']['series'][number];

export type Range = '24h' | '7d' | '30d' | '90d';
type Step = 'hour' | 'day';

export const RANGES: Readonly<Record<Range, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};
const STEPS: Readonly<Record<Range, readonly [step: Step, count: number]>> = {
  '24h': ['hour', 24],
  '7d': ['hour', 7 * 24],
  '30d': ['day', 30],
  '90d': ['day', 90],
};
const STEP_MS: Readonly<Record<Step, number>> = { hour: 3_600_000, day: 86_400_000 };

export const isRange = (text: string | null): text is Range => text !== null && Object.hasOwn(RANGES, text);

/** What to request for a range, which ends with the present hour or day. Times are in milliseconds. */
export function queryOf(range: Range, now: number): { readonly step: Step; readonly from: string } {
  const [step, count] = STEPS[range];
  const current = now - (now % STEP_MS[step]);
  return { step, from: new Date(current - (count - 1) * STEP_MS[step]).toISOString() };
}

/** The calls of an hour or day by outcome. */
export interface Outcomes {
  /** When it began, in milliseconds. */
  readonly at: number;
  readonly succeeded: number;
  /** Status 4xx. */
  readonly rejected: number;
  /** Status 5xx. */
  readonly failed: number;
}

/** Adds up a series by status. */
export function outcomesOf(series: readonly Point[]): readonly Outcomes[] {
  const steps = new Map<string, { at: number; succeeded: number; rejected: number; failed: number }>();
  for (const { at, key, count } of series) {
    const step = steps.get(at) ?? { at: Date.parse(at), succeeded: 0, rejected: 0, failed: 0 };
    const status = Number(key);
    step[status >= 500 ? 'failed' : status >= 400 ? 'rejected' : 'succeeded'] += count;
    steps.set(at, step);
  }
  return [...steps.values()].sort((left, right) => left.at - right.at);
}

export interface Group {
  /** The endpoint, or the ID of the key. */
  readonly key: string;
  readonly count: number;
  /** Of all calls of the range, from 0 to 1. */
  readonly share: number;
}

/** The groups of a series, those with the most calls first. */
export function groupsOf(series: readonly Point[]): readonly Group[] {
  const counts = new Map<string, number>();
  for (const { key, count } of series) counts.set(key, (counts.get(key) ?? 0) + count);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([key, count]) => ({ key, count, share: all === 0 ? 0 : count / all }))
    .sort((left, right) => right.count - left.count || (left.key < right.key ? -1 : 1));
}
