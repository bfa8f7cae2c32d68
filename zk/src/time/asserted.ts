import type { Row } from './events.js';
import { type ClosedStay, isClosed, type Pairing, pairRows, type Stay } from './stays.js';

/** An asserted row within a shift of the person's own rows. It is ignored. */
export interface IgnoredRow {
  readonly row: Row;
  readonly within: ClosedStay;
}

export interface AssertedPairing extends Pairing {
  readonly ignored: readonly IgnoredRow[];
}

/**
 * The shifts that asserted rows add to the person's own. Asserted rows are paired only with each other, and only between two closed shifts
 * of the person. So they never begin, end, shorten or overlap one, and no asserted shift spans one.
 */
export function pairAsserted(asserted: readonly Row[], own: readonly Stay[]): AssertedPairing {
  const closed = own.filter(isClosed);
  const ignored: IgnoredRow[] = [];
  const gaps = new Map<number, Row[]>();
  for (const row of asserted) {
    const gap = gapOf(row, closed);
    const within = closed[gap];
    if (within && isWithin(row, within)) ignored.push({ row, within });
    else gaps.set(gap, [...(gaps.get(gap) ?? []), row]);
  }
  const pairings = [...gaps].sort(([a], [b]) => a - b).map(([, rows]) => pairRows(rows));
  return {
    stays: pairings.flatMap(({ stays }) => stays),
    flags: pairings.flatMap(({ flags }) => flags),
    ignored,
  };
}

/** How many shifts are over at the row. A row that ends something may come in the minute in which the next shift begins. */
function gapOf(row: Row, closed: readonly ClosedStay[]): number {
  const isOver = (stay: ClosedStay) =>
    isEnd(row) ? stay.to.minute < row.minute : stay.to.minute <= row.minute;
  const next = closed.findIndex((stay) => !isOver(stay));
  return next === -1 ? closed.length : next;
}

const isWithin = (row: Row, { from }: ClosedStay): boolean =>
  isEnd(row) ? from.minute < row.minute : from.minute <= row.minute;

const isEnd = ({ act }: Row): boolean => act === 'end' || act === 'end break';
