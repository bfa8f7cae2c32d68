import type { Operations } from '@svc/sdk';

/** The verifications of a day (UTC), by their result. */
export type Day = Operations['consoleGetOverview']['reply']['verificationDays'][number];

export const totalOf = (days: readonly Day[]): number =>
  days.reduce((sum, { pass, fail, challenge }) => sum + pass + fail + challenge, 0);

/**
 * The share that passed of those that passed or failed, from 0 to 1. A challenge is neither. Undefined if there are none. Rounded down to
 * a tenth of a percent, so that it is 100 % only if none failed.
 */
export function successOf(days: readonly Day[]): number | undefined {
  const sumOf = (result: 'pass' | 'fail') => days.reduce((sum, day) => sum + day[result], 0);
  const [passed, failed] = [sumOf('pass'), sumOf('fail')];
  return passed + failed === 0 ? undefined : Math.floor((passed * 1000) / (passed + failed)) / 1000;
}

/** When the reader's day began. It has 23 or 25 hours if clocks change. */
export function startOfToday(now: number): string {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate()).toISOString();
}
