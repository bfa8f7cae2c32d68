import type { Correction } from '@svc/zk/time/correction';
import { invalid } from '../../base/errors.js';
import type { Read } from '../../ledger/write.js';
import { type AttendanceRow, lastSiteOf } from '../attendance/attendance.js';

/**
 * The site of a correction: that of the events that it changes, wherever the person works now. What it adds to a shift is at the site of
 * that shift, and a shift that it adds is at the person's site. 400 if it changes events of several sites.
 */
export async function siteOfCorrection(
  read: Read,
  { userId, changes }: Correction,
  {
    rows,
    own,
    path,
  }: {
    readonly rows: ReadonlyMap<string, AttendanceRow>;
    readonly own: string | null;
    readonly path: string;
  },
): Promise<string | null> {
  const sites = changes.flatMap(({ old }) => (old ? (rows.get(old.id)?.site_id ?? null) : []));
  const [first] = sites;
  const other = sites.findIndex((site) => site !== first);
  if (other !== -1) invalid(`${path}.${other}.old`, 'is of another site than the events before it');
  if (first !== undefined) return first ?? own;
  const [added] = changes
    .flatMap(({ new: next }) => next ?? [])
    .sort((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  if (added === undefined || (added.type === 'check_in' && added.reason === 'work')) return own;
  return (await lastSiteOf(read, userId, new Date(added.occurredAt))) ?? own;
}
