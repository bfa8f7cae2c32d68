import { zonedMonth } from '@svc/zk/time/zone';
import { NIL_UUID } from '../../base/crypto/random.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, reader, type Write } from '../../ledger/write.js';
import {
  countHours,
  deleteHours,
  firstKeptMonth,
  lastHours,
  monthFrom,
  periodOf,
} from '../attendance/attendance.js';
import { deleteOldCorrections, eraseCorrections, hasOldCorrections } from '../corrections/corrections.js';
import { erasePin } from '../pins/pins.js';
import { deleteProofs, eraseProofs } from '../punches/punches.js';
import { deleteOldSheets, eraseMarks, hasOldSheets, MARGIN_MS } from '../sheets/sheets.js';
import { findSite, listKeptSites } from '../sites/sites.js';

/** Events in a batch. Other writes of the chain wait for it. */
const BATCH_SIZE = 1_000;
/** After a batch the job waits this many times as long as the batch took. */
const REST = 4;
const SITES_AT_ONCE = 500;
const MINUTE_MS = 60_000;

interface Kept {
  readonly time_zone: string;
  readonly retention_months: number;
}

/** The first month that is still kept, and since when events are: its sheets are also made of those of some days before it. */
function keptFrom(site: Kept, now: number) {
  const month = firstKeptMonth(site, now);
  const [first] = zonedMonth(site.time_zone, month).days;
  return { month, before: new Date((first?.from ?? 0) * MINUTE_MS - MARGIN_MS) };
}

/** The day on which the last working time of a person is no longer kept, as YYYY-MM-DD. Undefined if none is kept now. */
export async function hoursKeptUntil(read: Read, userId: string, now: Date): Promise<string | undefined> {
  const last = await lastHours(read, userId);
  const site = last && (await findSite(read, last.site_id));
  if (last === undefined || site === undefined) return undefined;
  const month = periodOf(new Date(last.at.getTime() + MARGIN_MS), site.time_zone);
  const until = monthFrom(month, site.retention_months + 1);
  return until > periodOf(now, site.time_zone) ? `${until}-01` : undefined;
}

/** Removes what no retention time keeps of an erased person: their PIN, and without kept hours also marks. */
export async function eraseHours(w: Write, userId: string, areKept: boolean): Promise<void> {
  await Promise.all([
    erasePin(w, userId),
    eraseProofs(w, userId),
    eraseCorrections(w, userId),
    ...(areKept ? [] : [eraseMarks(w, userId)]),
  ]);
}

interface HoursDeps extends Pick<Deps, 'db' | 'write'>, BatchLimits {}

/**
 * Deletes the working time of each site that is older than its whole months of retention: events with their proofs, corrections, marks,
 * readings and closings. A batch is one audited write. May end anywhere; the next run continues with what is left.
 */
export async function applyHoursRetention(
  deps: HoursDeps,
  batchSize = BATCH_SIZE,
  rest: (ms: number) => Promise<void> = async () => {},
): Promise<void> {
  let last = NIL_UUID;
  await inBatches(deps, async () => {
    const sites = await listKeptSites(deps.db, last, SITES_AT_ONCE);
    for (const { tenantId, environment, ...site } of sites) {
      last = site.id;
      const scope = { tenantId, environment };
      let isFull = true;
      while (isFull && !deps.signal?.aborted) {
        const startedAt = performance.now();
        isFull = await deleteBatch(deps, scope, site, batchSize);
        if (isFull) await rest(REST * (performance.now() - startedAt));
      }
    }
    return sites.length === SITES_AT_ONCE;
  });
}

async function hasOld(
  read: Read,
  siteId: string,
  { month, before }: ReturnType<typeof keptFrom>,
): Promise<boolean> {
  return (
    (await countHours(read, siteId, before, 1)) > 0 ||
    (await hasOldSheets(read, siteId, month)) ||
    hasOldCorrections(read, siteId, before)
  );
}

/** Whether there may be more. */
async function deleteBatch(
  { db, write, clock }: HoursDeps,
  scope: Scope,
  site: Kept & { readonly id: string },
  limit: number,
): Promise<boolean> {
  const kept = keptFrom(site, clock.now());
  const { month, before } = kept;
  if (!(await hasOld(reader(db, scope), site.id, kept))) return false;
  const actor = { type: 'system', id: null } as const;
  return write({ scope, actor, action: 'tenant.retention_applied' }, async (w) => {
    const ids = await deleteHours(w, site.id, { before, limit, after: NIL_UUID });
    await Promise.all([
      deleteProofs(w, ids),
      deleteOldCorrections(w, site.id, before),
      deleteOldSheets(w, site.id, month),
    ]);
    // So that a check knows which records may be missing.
    const attendance_last = ids.at(-1) ?? null;
    w.audit({
      ...{ entityType: 'site', entityId: site.id },
      metadata: { attendance: ids.length, before: before.toISOString(), attendance_last },
    });
    return ids.length === limit;
  });
}
