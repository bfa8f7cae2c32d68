import { findHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import type { Since } from '../sheets/sheets.js';
import { listEntries } from './chain.store.js';
import type { HoursOf } from './month.js';

/** What entries after the tree have changed of what a file shows, by ids. */
export interface Changes extends Since {
  /** Events. */
  readonly contested: ReadonlySet<string>;
  /** Corrections. */
  readonly proposed: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
  /** The versions of closings of the month. */
  readonly closed: ReadonlySet<number>;
  /** People. */
  readonly erased: ReadonlySet<string>;
}

/** What has changed since the tree, by now. */
export type AsOfTree = () => Promise<Changes>;

type SetOfIds = { [name in Exclude<keyof Changes, 'closed'>]: Set<string> };

const CHANGES: Readonly<Record<string, keyof SetOfIds>> = {
  'attendance.created': 'recorded',
  'attendance.voided': 'voided',
  'attendance.contested': 'contested',
  'attendance.correction_proposed': 'proposed',
  'attendance.correction_agreed': 'ended',
  'attendance.correction_contested': 'ended',
  'attendance.correction_unanswered': 'ended',
  'attendance.correction_withdrawn': 'ended',
  'user.erased': 'erased',
};

/**
 * A file is read for as long as its reader takes, and everything in it is as of its tree. So each part is read, then the entries that came
 * since the call before, and what they changed is undone. A change that was read always has its entry by then: both were committed together.
 */
export function changesSince(read: Read, { site, month }: HoursOf, size: number): AsOfTree {
  const ids: SetOfIds = {
    ...{ recorded: new Set(), voided: new Set(), contested: new Set() },
    ...{ proposed: new Set(), ended: new Set(), erased: new Set() },
  };
  const closed = new Set<number>();
  let last = size;
  return async () => {
    const to = (await findHead(read))?.seq ?? last;
    for (const { action, status, entity_id: id, metadata } of await listEntries(read, {
      from: last + 1,
      to,
    })) {
      const change = status === 'success' ? CHANGES[action] : undefined;
      if (change !== undefined && id !== null) ids[change].add(id);
      if (action === 'attendance.month_closed' && metadata.siteId === site.id && metadata.period === month)
        closed.add(Number(metadata.version));
    }
    last = Math.max(last, to);
    return { ...ids, closed };
  };
}
