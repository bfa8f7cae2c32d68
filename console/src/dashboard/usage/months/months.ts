import type { Operations } from '@svc/sdk';
import { dateFormat } from '../../../ui/dates/date-format';

export type History = Operations['consoleGetUsage']['reply']['history'];

const SHORT = dateFormat({ month: 'short', timeZone: 'UTC' });
const LONG = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The name of a month such as `2026-05` in the reader's language. The short form is for a chart's axis. */
export const monthName = (month: string): string => LONG(Date.parse(`${month}-01`));
export const shortMonthName = (month: string): string => SHORT(Date.parse(`${month}-01`));
