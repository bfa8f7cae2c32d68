/** Something with a time, in ISO 8601 and UTC, so that texts compare as times do. */
export interface Timed {
  readonly at: string;
}

/** A part of a list, newest first. */
export interface Batch<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** The time of the last record that was read, also if it is not among the items. Null if nothing was read. */
  readonly through: string | null;
}

/** A list that is read from its newest record on. */
export type Source<T> = (cursor: string | undefined, signal?: AbortSignal) => Promise<Batch<T>>;

/** How far a list was read: what waits to be shown, and where to continue. Null at its end. */
interface Lane<T> {
  readonly held: readonly T[];
  readonly cursor: string | undefined | null;
  readonly through: string | null;
}

/** How far all lists were read: the cursor of the merged list. */
export type Position<T> = readonly Lane<T>[];

interface Step<T> {
  readonly items: readonly T[];
  /** Undefined at the end. */
  readonly position: Position<T> | undefined;
}

/** Requests to one list in a step. Filters can drop all of what they return, and the reader should not wait for long. */
const MAX_READS = 6;

const start = <T>(sources: readonly Source<T>[]): Position<T> =>
  sources.map(() => ({ held: [], cursor: undefined, through: null }));

async function readLane<T>(source: Source<T>, lane: Lane<T>, signal?: AbortSignal): Promise<Lane<T>> {
  if (lane.cursor === null) return lane;
  const { items, nextCursor, through } = await source(lane.cursor, signal);
  return { held: [...lane.held, ...items], cursor: nextCursor, through: through ?? lane.through };
}

/**
 * Whether nothing that was not read yet can come before an item. What a list has left is not newer than `through`. Items of one time
 * are in the order of their lists.
 */
const isCertain = <T extends Timed>({ at }: T, from: number, position: Position<T>): boolean =>
  position.every(
    ({ cursor, through }, lane) =>
      cursor === null || (through !== null && (at > through || (at === through && from <= lane))),
  );

/** The lists that hold the others back: those that were not read as far as any other. */
function behind<T>(position: Position<T>): readonly number[] {
  const open = position.flatMap(({ cursor, through }, lane) => (cursor === null ? [] : [{ lane, through }]));
  const unread = open.filter(({ through }) => through === null);
  if (unread.length > 0) return unread.map(({ lane }) => lane);
  const newest = open.reduce((max, { through }) => (through !== null && through > max ? through : max), '');
  return open.filter(({ through }) => through === newest).map(({ lane }) => lane);
}

function takeCertain<T extends Timed>(position: Position<T>, size: number): Step<T> {
  const ordered = position
    .flatMap(({ held }, lane) => held.map((item) => ({ item, lane })))
    .toSorted((a, b) => (a.item.at === b.item.at ? a.lane - b.lane : a.item.at < b.item.at ? 1 : -1));
  const uncertain = ordered.findIndex(({ item, lane }) => !isCertain(item, lane, position));
  const taken = ordered.slice(0, Math.min(size, uncertain === -1 ? ordered.length : uncertain));
  const counts = position.map((_, lane) => taken.filter((one) => one.lane === lane).length);
  const rest = position.map((lane, at) => ({ ...lane, held: lane.held.slice(counts[at]) }));
  const isOver = rest.every(({ held, cursor }) => held.length === 0 && cursor === null);
  return { items: taken.map(({ item }) => item), position: isOver ? undefined : rest };
}

/**
 * The next items of several lists in one order, newest first. It reads each list only as far as the order needs, and returns only
 * items that nothing unread can come before. So it holds at most two pages of each list.
 */
export async function readMerged<T extends Timed>(
  sources: readonly Source<T>[],
  from: Position<T> | undefined,
  size: number,
  signal?: AbortSignal,
): Promise<Step<T>> {
  let position = from ?? start(sources);
  for (let reads = 0; reads < MAX_READS; reads++) {
    const step = takeCertain(position, size);
    if (step.items.length === size || step.position === undefined) return step;
    const late = new Set(behind(position));
    if (late.size === 0) return step;
    position = await Promise.all(
      position.map((lane, at) => {
        const source = sources[at];
        return source !== undefined && late.has(at) ? readLane(source, lane, signal) : lane;
      }),
    );
  }
  return takeCertain(position, size);
}
