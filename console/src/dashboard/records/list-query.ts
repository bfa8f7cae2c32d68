import { useSearchParams } from 'react-router';
import { readDate } from '../../ui/lists/filters';
import type { Environment } from '../api';

/** What the address asks of a list of the console. Absent fields don't restrict it. */
export type ListQuery = {
  readonly environment: Environment;
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: 'oldest';
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The person and device whose events are listed. */
export type References = {
  readonly userId?: string;
  readonly deviceId?: string;
};

export function useReferences(): References {
  const [search] = useSearchParams();
  const userId = search.get('userId') ?? '';
  const deviceId = search.get('deviceId') ?? '';
  return { ...(UUID.test(userId) && { userId }), ...(UUID.test(deviceId) && { deviceId }) };
}

/** The days of the address in the reader's time zone, from the start of the first to the end of the last. */
export function readTimes(search: URLSearchParams): Pick<ListQuery, 'from' | 'to' | 'sort'> {
  const from = readDate(search.get('from'));
  const to = readDate(search.get('to'));
  return {
    ...(from && { from: from.toISOString() }),
    // Half a day more than a day, because the day on which clocks change has 23 or 25 hours.
    ...(to && { to: startOfDay(new Date(to.getTime() + 1.5 * DAY_MS)).toISOString() }),
    ...(search.get('sort') === 'oldest' && { sort: 'oldest' as const }),
  };
}

const startOfDay = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate());
