import type { Operations } from '@svc/sdk';

export type Point = Operations['consoleGetUsageSeries']['reply']['series'][number];

/** The calls of one hour. */
export interface Hour {
  /** When it began, in milliseconds. */
  readonly at: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** The points of a series by status, as hours in order. */
export function hoursOf(series: readonly Point[]): readonly Hour[] {
  const hours = new Map<string, Hour>();
  for (const { at, key, count } of series) {
    const { succeeded, failed } = hours.get(at) ?? { succeeded: 0, failed: 0 };
    const isFailure = Number(key) >= 400;
    hours.set(at, {
      at: Date.parse(at),
      succeeded: succeeded + (isFailure ? 0 : count),
      failed: failed + (isFailure ? count : 0),
    });
  }
  return [...hours.values()].sort((left, right) => left.at - right.at);
}

const total = (hours: readonly Hour[]): number =>
  hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);

/** The calls of the last `count` hours, and of the same number of hours before them. */
export const compareCalls = (
  hours: readonly Hour[],
  count: number,
): { readonly now: number; readonly before: number } => ({
  now: total(hours.slice(-count)),
  before: total(hours.slice(-2 * count, -count)),
});

/** The share of calls that succeeded, from 0 to 1; undefined without calls. */
export function successOf(hours: readonly Hour[]): number | undefined {
  const all = total(hours);
  if (all === 0) return undefined;
  return hours.reduce((sum, { succeeded }) => sum + succeeded, 0) / all;
}
