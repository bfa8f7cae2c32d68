import { startOfDay } from '../../dates/days';

/** From this number of rows on, those far from the window leave the document. */
export const MANY_ROWS = 200;
const CHUNK_ROWS = 50;

/** Rows of a list that enter and leave the document together. */
export interface Chunked<T> {
  /** Stays the same when a row is added before it, so that its rows are not made again. */
  readonly key: string;
  readonly items: readonly T[];
  /** The number of rows before it. */
  readonly start: number;
  /** A time of the day that begins with this chunk. */
  readonly day?: string;
}

const dayOf = (at: string): string => startOfDay(new Date(at)).toDateString();

/** Splits the rows into days, if they have times, and a long list into chunks. */
export function chunksOf<T>(
  items: readonly T[],
  timeOf: ((item: T) => string) | undefined,
): readonly Chunked<T>[] {
  const chunks: Chunked<T>[] = [];
  let begin = 0;
  let day: string | undefined;
  for (let at = 1; at <= items.length; at += 1) {
    const first = items[begin] as T;
    const next = items[at];
    const firstDay = timeOf && dayOf(timeOf(first));
    const isSameDay = next === undefined || timeOf === undefined || dayOf(timeOf(next)) === firstDay;
    const isFull = items.length > MANY_ROWS && at - begin >= CHUNK_ROWS;
    if (next !== undefined && isSameDay && !isFull) continue;
    chunks.push({
      key: `${firstDay ?? ''} ${chunks.length}`,
      items: items.slice(begin, at),
      start: begin,
      ...(timeOf && firstDay !== day && { day: timeOf(first) }),
    });
    day = firstDay;
    begin = at;
  }
  return chunks;
}
