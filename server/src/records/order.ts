import Type from 'typebox';
import { invalid } from '../base/errors.js';
import { NIL_UUID } from '../base/random.js';
import { type Sql, sql } from '../db/sql.js';
import { opaque } from './first-rows.js';
import { iso } from './schema.js';

/** The order of a list by time. */
export const SORTS = ['newest', 'oldest'] as const;
export type Sort = (typeof SORTS)[number];
export const sorting = { sort: Type.Optional(Type.Enum([...SORTS])) };

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
export function orderById(sort: Sort | undefined, after: string | undefined): Ordered {
  const isOldest = sort === 'oldest';
  const id = opaque(sql`${after?.split('|')[0]}::uuid`);
  return {
    conditions: after === undefined ? [] : [isOldest ? sql`id > ${id}` : sql`id < ${id}`],
    order: isOldest ? sql`id` : sql`id desc`,
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
  { from, to, sort }: TimeRange & { readonly sort?: Sort | undefined },
  after: string | undefined,
): Ordered {
  const rowOf = (row: Position) => sql`(${at(row.time)}, ${opaque(sql`${row.id}::uuid`)})`;
  // Not a comparison of the time alone: with one on each side, the planner expects a row or less of any index.
  const isBefore = (row: Position) => sql`(${time}, id) < ${rowOf(row)}`;
  const last = readPosition(after);
  // The narrower of the position and the bound, so that reading the index starts at one position.
  if (sort === 'oldest') {
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
