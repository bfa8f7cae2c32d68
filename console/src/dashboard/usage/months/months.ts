import type { Operations } from '@svc/sdk';

export type History = Operations['consoleGetUsage']['reply']['history'];

const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The name of a month such as `2026-05` in the reader's language. The short form is for a chart's axis. */
export const monthName = (month: string): string => LONG.format(Date.parse(`${month}-01`));
export const shortMonthName = (month: string): string => SHORT.format(Date.parse(`${month}-01`));
