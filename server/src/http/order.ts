import Type from 'typebox';
import { invalid } from '../base/errors.js';
import { NIL_UUID } from '../base/random.js';
import { opaque } from '../db/first-rows.js';
import { type Sql, sql } from '../db/sql.js';
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
  const idOf = (id: string) => opaque(sql`${id}::uuid`);
  const last = readPosition(after);
  // The narrower of the position and the bound, so that reading the index starts at one position.
  if (sort === 'oldest') {
    const isInRange = last !== undefined && (from === undefined || Date.parse(last.time) >= Date.parse(from));
    const start = isInRange ? last : undefined;
    return {
      conditions: [
        ...(start ? [sql`(${time}, id) > (${at(start.time)}, ${idOf(start.id)})`] : []),
        ...(start || from === undefined ? [] : inRange(time, { from })),
        ...(to === undefined ? [] : inRange(time, { to })),
      ],
      order: sql`${time}, id`,
    };
  }
  const isBeforeEnd = last !== undefined && (to === undefined || Date.parse(last.time) < Date.parse(to));
  const end = isBeforeEnd ? last : to === undefined ? undefined : { time: to, id: NIL_UUID };
  return {
    conditions: [
      ...(from === undefined ? [] : inRange(time, { from })),
      ...(end ? [sql`(${time}, id) < (${at(end.time)}, ${idOf(end.id)})`] : []),
    ],
    order: sql`${time} desc, id desc`,
  };
}

function readPosition(position: string | undefined): { id: string; time: string } | undefined {
  if (position === undefined) return undefined;
  const [id = '', time] = position.split('|');
  return time === undefined
    ? invalid('query.cursor', 'is not a cursor of this list; start again without it')
    : { id, time };
}
