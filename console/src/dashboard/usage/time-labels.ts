import { dateFormat } from '../../ui/dates/date-format';
import { labelsOfHour } from '../nouns/outcomes/hours';
import type { Range } from './series';

const WEEKDAY = dateFormat({ weekday: 'short' });
const HOUR_OF_DAY = dateFormat({ weekday: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' });
// Days are those of UTC, whatever the reader's time zone is.
const DATE = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const FULL_DATE = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** How a chart of the range names a step: below it, and in full. */
export function labelsOf(range: Range, at: number): { readonly label: string; readonly title: string } {
  if (range === '24h') return labelsOfHour(at);
  if (range === '7d') return { label: WEEKDAY(at), title: HOUR_OF_DAY(at) };
  return { label: DATE(at), title: `${FULL_DATE(at)} (UTC)` };
}

/** A label for each day of a week and for hours 0, 6, 12 and 18 of a day, and otherwise for as many steps as there is room. */
export const labelEvery = (range: Range): { readonly every?: number } =>
  range === '7d' ? { every: 24 } : range === '24h' ? { every: 1 } : {};
