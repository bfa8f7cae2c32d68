import Type from 'typebox';
import { NIL_UUID } from '../base/crypto/random.js';
import { invalid } from '../base/errors.js';
import { type Sql, sql } from '../db/sql.js';
import { opaque } from './first-rows.js';
import { iso } from './schema.js';

/** The order of a list by time. */
export const SORTS = ['newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];
export const sorting = { sort: Type.Optional(Type.Enum([...SORTS])) };

/** The orders of people and devices. `created` is `oldest`, and `-created` is `newest`, the default. */
export const USER_SORTS = [...SORTS, 'name', '-name', 'created', '-created'] as const;
export const DEVICE_SORTS = [...USER_SORTS, 'last_seen', '-last_seen'] as const;
export type AnySort = (typeof DEVICE_SORTS)[number];

const isOldestFirst = (sort: AnySort | undefined): boolean => sort === 'oldest' || sort === 'created';

/** The part of a cursor's list that names its order, so that no other order accepts it. */
export const orderNameOf = (sort: AnySort | undefined): string =>
  isOldestFirst(sort) ? ' oldest' : valueSortOf(sort) === undefined ? '' : ` ${sort}`;

/** The column that a list is sorted by, unless that is the time of creation. */
export function valueSortOf(
  sort: AnySort | undefined,
): { readonly by: 'name' | 'last_seen'; readonly isDescending: boolean } | undefined {
  switch (sort) {
    case 'name':
    case '-name':
      return { by: 'name', isDescending: sort === '-name' };
    case 'last_seen':
    case '-last_seen':
      return { by: 'last_seen', isDescending: sort === '-last_seen' };
    default:
      return undefined;
  }
}

export interface TimeRange {
  /** Inclusive. */
  readonly from?: string;
  /** Exclusive. */
  readonly to?: string;
}

/** The rows after a position, in the order of the index. */
interface Ordered {
  readonly conditions: readonly Sql[];
  readonly order: Sql;
}

/** The position at the end of a page: by id, or by time and then by id for rows of the same millisecond. */
export const positionOf = (id: string, time?: Date): string =>
  time === undefined ? id : `${id}|${iso(time)}`;

/** In order of creation. Also accepts a position by time. */
export function orderById(sort: AnySort | undefined, after: string | undefined): Ordered {
  const isOldest = isOldestFirst(sort);
  const id = opaque(sql`${after?.split('|')[0]}::uuid`);
  return {
    conditions: after === undefined ? [] : [isOldest ? sql`id > ${id}` : sql`id < ${id}`],
    order: isOldest ? sql`id` : sql`id desc`,
  };
}

/** The position at the end of a page in order of a value, which it contains: the row can have another one, or be gone, before the next page. */
export const positionByValue = (id: string, value: string): string => `${id}|${value}`;

/** A value that a list is ordered by. */
interface OrderedValue {
  readonly column: Sql;
  /** The value that a position contains as text. */
  read(text: string): Sql;
}

/**
 * In order of a value that rows change, then by id. No index has such an order within a range of times, which is rejected.
 */
export function orderByValue(
  { column, read }: OrderedValue,
  { from, to, isDescending }: TimeRange & { readonly isDescending: boolean },
  after: string | undefined,
): Ordered {
  if (from !== undefined || to !== undefined)
    invalid('query.sort', 'must be newest, oldest, created or -created together with from or to');
  const order = isDescending ? sql`${column} desc, id desc` : sql`${column}, id`;
  if (after === undefined) return { conditions: [], order };
  const [id = '', ...rest] = after.split('|');
  const last = sql`(${opaque(read(rest.join('|')))}, ${opaque(sql`${id}::uuid`)})`;
  return {
    conditions: [isDescending ? sql`(${column}, id) < ${last}` : sql`(${column}, id) > ${last}`],
    order,
  };
}

const at = (time: string) => opaque(sql`${new Date(time)}::timestamptz`);

/** The range as a condition on rows that other conditions find. */
export const inRange = (time: Sql, { from, to }: TimeRange): Sql[] => [
  ...(from === undefined ? [] : [sql`${time} >= ${at(from)}`]),
  ...(to === undefined ? [] : [sql`${time} < ${at(to)}`]),
];

/** In order of a column, within a range of it. */
export function orderByTime(
  time: Sql,
  { from, to, sort }: TimeRange & { readonly sort?: AnySort | undefined },
  after: string | undefined,
): Ordered {
  const rowOf = (row: Position) => sql`(${at(row.time)}, ${opaque(sql`${row.id}::uuid`)})`;
  // Not a comparison of the time alone: with one on each side, the planner expects a row or less of any index.
  const isBefore = (row: Position) => sql`(${time}, id) < ${rowOf(row)}`;
  const last = readPosition(after);
  // The narrower of the position and the bound, so that reading the index starts at one position.
  if (isOldestFirst(sort)) {
    const isInRange = last !== undefined && (from === undefined || Date.parse(last.time) >= Date.parse(from));
    const start = isInRange ? last : undefined;
    return {
      conditions: [
        ...(start ? [sql`(${time}, id) > ${rowOf(start)}`] : []),
        ...(start || from === undefined ? [] : inRange(time, { from })),
        ...(to === undefined ? [] : [isBefore({ time: to, id: NIL_UUID })]),
      ],
      order: sql`${time}, id`,
    };
  }
  const isBeforeEnd = last !== undefined && (to === undefined || Date.parse(last.time) < Date.parse(to));
  const end = isBeforeEnd ? last : to === undefined ? undefined : { time: to, id: NIL_UUID };
  return {
    conditions: [...(from === undefined ? [] : inRange(time, { from })), ...(end ? [isBefore(end)] : [])],
    order: sql`${time} desc, id desc`,
  };
}

interface Position {
  readonly id: string;
  readonly time: string;
}

function readPosition(position: string | undefined): Position | undefined {
  if (position === undefined) return undefined;
  const [id = '', time] = position.split('|');
  return time === undefined
    ? invalid('query.cursor', 'is not a cursor of this list; start again without it')
    : { id, time };
}
