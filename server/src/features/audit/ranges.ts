import { timeOfId } from '../../base/crypto/random.js';
import { MAX_SEARCHED, seqAt } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import type { Sort } from '../../records/order.js';

/** The time in an id is a little ahead of the event's if the clock was set back. */
const CLOCK_STEP_MS = 1_000;

/** A part of a chain: its first event, and the one after its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The part of a range that one page searches for what no index has: at most 10,000 events after a position, in the list's order. */
export function searchedPart(
  { start, end }: Range,
  sort: Sort | undefined,
  after: string | undefined,
): Range {
  if (sort === 'oldest') {
    const first = after === undefined ? start : Math.max(start, Number(after) + 1);
    return { start: first, end: Math.min(end, first + MAX_SEARCHED) };
  }
  const before = after === undefined ? end : Math.min(end, Number(after));
  return { start: Math.max(start, before - MAX_SEARCHED), end: before };
}

/** The position at the end of that part. Undefined if the part reaches the end of the range. */
export function stopOf(range: Range, sort: Sort | undefined, after: string | undefined): string | undefined {
  const { start, end } = searchedPart(range, sort, after);
  if (sort === 'oldest') return end < range.end ? String(end - 1) : undefined;
  return start > range.start ? String(start) : undefined;
}

/** In order and without what they have in common. */
function merged(ranges: readonly Range[]): Range[] {
  const separate: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = separate.at(-1);
    if (last === undefined || range.start > last.end) separate.push(range);
    else separate.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return separate;
}

/**
 * The parts of a range in which the events about some records are searched: its newest events, and those since each record was
 * created, which its id says. So a record is found by its first events wherever they are, and one that lives for minutes, such as a
 * verification or a pairing session, by all.
 */
export async function partsAbout(
  read: Read,
  ids: readonly string[],
  { start, end }: Range,
  newestAt: string,
): Promise<Range[]> {
  const created = ids
    .map((id) => (timeOfId(id) ?? Number.POSITIVE_INFINITY) - CLOCK_STEP_MS)
    .filter((time) => time >= 0 && time <= Date.parse(newestAt));
  const starts = await Promise.all(created.map((time) => seqAt(read, new Date(time))));
  return merged(
    [...starts, end - MAX_SEARCHED]
      .map((from) => ({ start: Math.max(start, from), end: Math.min(end, from + MAX_SEARCHED) }))
      .filter((part) => part.start < part.end),
  );
}
