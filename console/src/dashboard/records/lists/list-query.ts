import { useSearchParams } from 'react-router';
import { readDay, startOfDay } from '../../../ui/dates/days';
import { isPeriod, rangeOf } from '../../../ui/dates/periods';
import type { Environment } from '../../operations/api';

/** What the address asks of a list of the console. Absent fields don't restrict it. */
export type ListQuery = {
  readonly environment: Environment;
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

/** The period or the days of the address in the reader's time zone, from the start of the first to the end of the last. */
export function readTimes(search: URLSearchParams, now: Date): Pick<ListQuery, 'from' | 'to'> {
  const period = search.get('period');
  if (isPeriod(period)) {
    const { from, to } = rangeOf(period, now);
    return { from: from.toISOString(), to: to.toISOString() };
  }
  const from = readDay(search.get('from'));
  const to = readDay(search.get('to'));
  return {
    ...(from && { from: from.toISOString() }),
    ...(to && { to: startOfDay(to, 1).toISOString() }),
  };
}
