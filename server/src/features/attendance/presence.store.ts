import { sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';
import type { EVENT_TYPES } from './attendance.schema.js';

export interface Passage {
  readonly userId: string;
  readonly type: (typeof EVENT_TYPES)[number];
  readonly at: Date;
}

/** Accepted check-ins and check-outs since a moment that no correction replaced, oldest first. Breaks are on site. At most the newest of each type. */
export function listPassages(read: Read, since: Date, limit: number): Promise<Passage[]> {
  const of = (type: Passage['type']) => sql`(select user_id, type, occurred_at, id from attendance
    where ${within(read.scope)} and type = ${type} and result = 'accepted' and occurred_at >= ${since}
      and voided_by is null and reason is distinct from 'break'
    order by occurred_at desc, id desc limit ${limit})`;
  return read.query<Passage>(sql.query`select user_id as "userId", type, occurred_at as at
    from (${of('check_in')} union all ${of('check_out')}) as passage order by occurred_at, id`);
}
