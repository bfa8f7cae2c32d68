import type { ClosedStay, Pause, Stay } from './stays.js';
import type { Day } from './zone.js';

/** From a minute to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const minutesOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The breaks that ended. */
export const breakSpans = ({ breaks }: Pick<Stay, 'breaks'>): Span[] => breaks.flatMap(spanOf);

export const spanOf = ({ from, to }: Pause): Span[] => (to ? [{ from: from.minute, to: to.minute }] : []);

/** A closed shift without its breaks. */
export function workSpans(stay: ClosedStay): Span[] {
  const breaks = breakSpans(stay);
  const starts = [stay.from.minute, ...breaks.map(({ to }) => to)];
  const ends = [...breaks.map(({ from }) => from), stay.to.minute];
  return starts.map((from, index) => ({ from, to: ends[index] ?? from })).filter(({ from, to }) => from < to);
}

/** How many minutes of the spans a day has. */
export const minutesIn = (day: Day, spans: readonly Span[]): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, day.to) - Math.max(from, day.from)), 0);
