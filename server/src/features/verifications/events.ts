import Type from 'typebox';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { within } from '../../ledger/write.js';
import { ids } from '../../model/example-fixtures.js';
import { type Choice, type FilteredRows, opaque } from '../../records/first-rows.js';
import type { ListQuery } from '../../records/list.js';
import { orderById, orderByTime, positionOf, type Sort, type TimeRange } from '../../records/order.js';
import { exampleText, Nullable, Timestamp, uuid } from '../../records/schema.js';

/** The filters shared by the lists of verifications and of attendance. */
export const eventFilters = {
  userId: Type.Optional(uuid(ids.user)),
  deviceId: Type.Optional(uuid(ids.device)),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
};

/** The names that both lists can include. */
export const eventNames = {
  userName: Nullable(exampleText('Ada Lovelace')),
  deviceName: Nullable(exampleText('Main gate')),
};

interface EventQuery extends Omit<ListQuery, 'sort'>, TimeRange {
  readonly sort?: Sort;
  readonly userId?: string;
  readonly reason?: string;
  readonly deviceId?: string;
  readonly siteId?: string;
}

/** With one of these filters, a list is ordered by when events occurred, otherwise by when they were recorded. */
const isByTime = ({ userId, deviceId, siteId, reason, from, to }: EventQuery): boolean =>
  [userId, deviceId, siteId, reason, from, to].some((value) => value !== undefined);

/** The position at the end of a page. */
export const eventPosition = (row: { id: string; occurred_at: Date }, query: EventQuery): string =>
  positionOf(row.id, isByTime(query) ? row.occurred_at : undefined);

/** The differences between the two lists: the table, and the filters with few values. */
interface Events {
  readonly table: Sql;
  readonly choices: readonly [Choice, Choice];
  /** Whether one of the choices is a filter of the caller. */
  readonly isChosen: boolean;
  /** The condition of a search. It is looked up first, whatever the other filters are. */
  readonly search?: Sql | undefined;
  /** More conditions, on the columns of an index of their own before those of its order. */
  readonly own?: readonly Sql[];
}

/** The matching events after a position created by `eventPosition`. */
export function eventRows(
  scope: Scope,
  { table, choices, isChosen, search, own = [] }: Events,
  query: EventQuery,
  after: string | undefined,
): FilteredRows {
  const { userId, deviceId } = query;
  const byTime = isByTime(query);
  const { conditions, order } = byTime
    ? orderByTime(sql`occurred_at`, query, after)
    : orderById(query.sort, after);
  const matching = [
    within(scope),
    ...(userId ? [sql`user_id = ${opaque(sql`${userId}::uuid`)}`] : []),
    ...(deviceId ? [sql`device_id = ${opaque(sql`${deviceId}::uuid`)}`] : []),
    ...own,
    ...conditions,
  ];
  const isChoice = choices.map(({ column, values }) => sql`${column} = any (${values}::text[])`);
  if (search) {
    const found = sql`(select * from ${table} where ${within(scope)} and (${search}) offset 0) as found`;
    return { table: found, conditions: [...matching, ...isChoice], order };
  }
  if (own.length > 0 && !userId && !deviceId)
    return { table, conditions: isChosen ? [...matching, ...isChoice] : matching, order };
  return { table, conditions: matching, order, ...((byTime || isChosen) && { choices }) };
}
