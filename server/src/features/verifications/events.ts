import Type from 'typebox';
import { invalid } from '../../base/errors.js';
import { NIL_UUID } from '../../base/random.js';
import { type NewestRows, newest, opaque } from '../../db/newest.js';
import { join, sql } from '../../db/sql.js';
import { iso, Timestamp, uuid } from '../../http/schema.js';
import { type Read, within } from '../../ledger/write.js';
import { ids } from '../../model/example-fixtures.js';

/** The filters shared by the lists of verifications and of attendance. */
export const eventFilters = {
  userId: Type.Optional(uuid(ids.user)),
  deviceId: Type.Optional(uuid(ids.device)),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
};

interface EventQuery {
  readonly userId?: string;
  readonly deviceId?: string;
  /** Inclusive. */
  readonly from?: string;
  /** Exclusive. */
  readonly to?: string;
}

/** With one of these filters, a list is ordered by when events occurred, otherwise by when they were recorded. */
const isByTime = ({ userId, deviceId, from, to }: EventQuery): boolean =>
  [userId, deviceId, from, to].some((value) => value !== undefined);

/** The position at the end of a page: by time, then by id for events of the same millisecond. */
export const eventPosition = (row: { id: string; occurred_at: Date }, query: EventQuery): string =>
  isByTime(query) ? `${row.id}|${iso(row.occurred_at)}` : row.id;

/** The differences between the two lists: the table, and the filters with few values. */
interface Events extends Pick<NewestRows, 'table' | 'columns' | 'choices'> {
  /** Whether one of the choices is a filter of the caller. */
  readonly isChosen: boolean;
}

/** At most `count` of the newest matching events, before a position created by `eventPosition`. */
export function listEvents<Row extends object>(
  read: Read,
  { isChosen, ...events }: Events,
  query: EventQuery,
  count: number,
  before: string | undefined,
): Promise<Row[]> {
  if (isByTime(query)) return read.query<Row>(newestByTime(read, events, query, count, before));
  const conditions = [
    within(read.scope),
    ...(before ? [sql`id < ${opaque(sql`${before.split('|')[0]}::uuid`)}`] : []),
  ];
  if (isChosen) return read.query<Row>(newest({ ...events, conditions, order: sql`id desc`, count }));
  return read.query<Row>(
    sql.query`select ${events.columns} from ${events.table} where ${join(conditions, ' and ')} order by id desc limit ${count}`,
  );
}

function newestByTime(
  read: Read,
  events: Omit<Events, 'isChosen'>,
  { userId, deviceId, from, to }: EventQuery,
  count: number,
  before: string | undefined,
) {
  const conditions = [
    within(read.scope),
    ...(userId ? [sql`user_id = ${opaque(sql`${userId}::uuid`)}`] : []),
    ...(deviceId ? [sql`device_id = ${opaque(sql`${deviceId}::uuid`)}`] : []),
    ...(from ? [sql`occurred_at >= ${opaque(sql`${new Date(from)}::timestamptz`)}`] : []),
    ...upperBound(to, before),
  ];
  return newest({ ...events, conditions, order: sql`occurred_at desc, id desc`, count });
}

/** The earlier of `to` and the cursor's position, so that reading the index starts at one position. */
function upperBound(to: string | undefined, before: string | undefined) {
  const [id, time] = before?.split('|') ?? [];
  if (id !== undefined && time === undefined)
    invalid('query.cursor', 'is not a cursor of this list; start again without it');
  const isBeforeEnd = time !== undefined && (to === undefined || Date.parse(time) < Date.parse(to));
  const bound = isBeforeEnd ? { time, id } : to === undefined ? undefined : { time: to, id: NIL_UUID };
  if (bound === undefined) return [];
  const end = opaque(sql`${new Date(bound.time)}::timestamptz`);
  return [sql`(occurred_at, id) < (${end}, ${opaque(sql`${bound.id}::uuid`)})`];
}
