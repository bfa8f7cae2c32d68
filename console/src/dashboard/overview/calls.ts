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

/** The share of calls that succeeded, from 0 to 1; undefined without calls. */
export function successOf(hours: readonly Hour[]): number | undefined {
  const all = total(hours);
  if (all === 0) return undefined;
  return hours.reduce((sum, { succeeded }) => sum + succeeded, 0) / all;
}

const PROOF = 'POST /v1/identity/verify';
/** The endpoints that record a verification. */
const VERIFICATIONS: ReadonlySet<string> = new Set([
  PROOF,
  'POST /v1/proof-pairing/sessions/:id/submit',
  'POST /v1/verifications',
]);

/** The verifications of a day. */
export interface Day {
  readonly count: number;
  /** The median time to verify a proof, in milliseconds. Null without one. */
  readonly time: number | null;
}

/** The points of a series by endpoint, as days in order. A day without verifications between others counts 0. */
export function verificationsOf(series: readonly Point[]): readonly Day[] {
  const days = new Map<string, Day>();
  for (const { at, key, count, p50 } of series) {
    const day = days.get(at) ?? { count: 0, time: null };
    days.set(at, {
      count: day.count + (VERIFICATIONS.has(key) ? count : 0),
      time: key === PROOF ? p50 : day.time,
    });
  }
  return [...days].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, day]) => day);
}
