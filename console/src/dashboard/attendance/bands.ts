import type { Operations } from '@svc/sdk';
import type { Band } from '../../ui/charts/day-bands';
import { dateFormat } from '../../ui/dates/date-format';

type Stay = Operations['getPresence']['reply']['people'][number]['stays'][number];

const LABELLED_HOURS = [0, 6, 12, 18];
const TIME = dateFormat({ hour: '2-digit', minute: '2-digit' });

/** The reader's day. It has 23 or 25 hours if clocks change. */
export interface Day {
  readonly start: number;
  readonly end: number;
}

export function dayOf(now: number): Day {
  const today = new Date(now);
  const midnight = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
  return { start: midnight(0), end: midnight(1) };
}

const shareOf = ({ start, end }: Day, at: number): number =>
  Math.min(1, Math.max(0, (at - start) / (end - start)));

/** Where hours 0, 6, 12 and 18 of the day stand. */
export function ticksOf(day: Day): readonly { readonly at: number; readonly label: string }[] {
  const start = new Date(day.start);
  return LABELLED_HOURS.map((hour) => {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate(), hour).getTime();
    return { at: shareOf(day, time), label: TIME(time) };
  });
}

/** The stays that touch the day, each from its check-in to its check-out or until now. */
export function bandsOf(stays: readonly Stay[], day: Day, now: number): readonly Band[] {
  return stays.flatMap(({ from, to }) => {
    const [start, end] = [from === null ? day.start : Date.parse(from), to === null ? now : Date.parse(to)];
    if (end <= day.start || start >= day.end) return [];
    const text =
      to === null ? `since ${TIME(start)}` : `${from === null ? 'until' : `${TIME(start)} –`} ${TIME(end)}`;
    return [{ from: shareOf(day, start), to: shareOf(day, end), text }];
  });
}
