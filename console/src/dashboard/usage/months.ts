import type { Operations } from '@svc/sdk';

export type History = Operations['consoleGetUsage']['reply']['history'];

const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-05` in the reader's words; for an axis as short as can be. */
export const monthName = (month: string): string => LONG.format(Date.parse(`${month}-01`));
export const shortMonthName = (month: string): string => SHORT.format(Date.parse(`${month}-01`));
