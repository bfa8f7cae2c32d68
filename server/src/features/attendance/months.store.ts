import { sql } from '../../db/sql.js';
import type { Write } from '../../ledger/write.js';
import { periodOf } from './period.js';

interface Site {
  readonly id: string;
  readonly time_zone: string;
}

/** What an entry of the audit chain says of the month that it is about, in its metadata. */
interface InMonth {
  readonly siteId: string;
  /** YYYY-MM in the zone of the site. */
  readonly period: string;
  /** Its number among the entries about this month of the site, from 1. */
  readonly number: number;
}

/**
 * Numbers an entry about a time at a site. A file of the month shows by the numbers that it has all of them. Writes of an environment
 * hold the head of its chain, so numbers come in the order of the entries, without a gap.
 */
export const numberIn = (w: Write, { id, time_zone: zone }: Site, at: Date): Promise<InMonth> =>
  numberInMonth(w, id, periodOf(at, zone));

/** Numbers an entry about a month of a site. */
export async function numberInMonth(w: Write, siteId: string, period: string): Promise<InMonth> {
  const { tenantId, environment } = w.scope;
  const [row] = await w.mutate<{
    entries: number;
  }>(sql.mutation`insert into attendance_months as t (tenant_id, environment, site_id, month, entries)
    values (${tenantId}, ${environment}, ${siteId}, ${period}, 1)
    on conflict (tenant_id, environment, site_id, month) do update set entries = t.entries + 1 returning entries`);
  return { siteId, period, number: Number(row?.entries) };
}
