import type { AuditRow } from '@svc/zk/approvals/receipt';
import type { HoursLine, HoursPunch, HoursRecord } from '@svc/zk/time/hours-file';
import type { AuditEventRow } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { findStored, type StoredRecord } from '../../records/seals/sealed-rows.js';
import { sealedAttendance } from '../attendance/attendance.js';
import { serializeEvent } from '../audit/audit.js';
import { listProofs } from '../punches/punches.js';
import { type Link, listEntries, listLinks } from './chain.store.js';
import { type HoursOf, isAround } from './month.js';
import type { AsOfTree, Changes } from './since.js';

const ENTRIES_AT_ONCE = 500;

/** What the file shows besides the entries about its month. */
export interface Shown {
  readonly corrections: ReadonlySet<string>;
  /** People who made or decided something in the file. */
  readonly people: Set<string>;
  readonly asOfTree: AsOfTree;
}

/** The chain, some entries at a time: those of the month with their events, and of the others only their digests. */
export async function* chainOf(
  read: Read,
  of: HoursOf,
  { first, last }: { readonly first: number; readonly last: number },
  shown: Shown,
): AsyncGenerator<HoursLine[]> {
  for (let from = first; from <= last; from += ENTRIES_AT_ONCE) {
    const part = { from, to: Math.min(last, from + ENTRIES_AT_ONCE - 1) };
    const [links, entries] = await Promise.all([listLinks(read, part), listEntries(read, part)]);
    const ids = entries.flatMap(({ entity_type: type, entity_id: id }) =>
      type === 'attendance' && id !== null ? [id] : [],
    );
    const [records, proofs] = await Promise.all([
      findStored(read, sealedAttendance, ids),
      listProofs(read, ids),
    ]);
    const changes = await shown.asOfTree();
    const punches = new Map(
      proofs.map(({ attendance_id: id, proof, ...punch }) => [id, { ...punch, ...proof }]),
    );
    const bySeq = new Map(entries.map((row) => [row.seq, row]));
    const show = (link: Link): HoursLine => {
      const row = bySeq.get(link.seq);
      const record = records.get(row?.entity_id ?? '');
      if (row === undefined || !isShown(row, record, of, shown)) return hidden(link);
      const entry = serializeEvent(row) as AuditRow;
      if (row.action !== 'attendance.created' || record === undefined)
        return record === undefined ? { entry } : { entry, userId: String(record.record.userId) };
      shown.people.add(String(record.record.userId));
      return { entry, ...recordOf(record, changes, punches.get(record.id)) };
    };
    yield links.map(show);
  }
}

const hidden = ({ seq, prev_hash: prevHash, digest }: Link) => ({ seq, prevHash, digest });

/** An event as it was before some changes. Its other fields never change. */
export function recordOf(
  { record: now, n, salts, T }: StoredRecord,
  { voided, contested }: Changes,
  punch?: HoursPunch,
): HoursRecord {
  const id = String(now.id);
  const record = {
    ...now,
    ...(voided.has(id) && { voidedBy: null }),
    ...(contested.has(id) && { contestedAt: null }),
  };
  return { record, n, salts, ...(T !== undefined && { T }), ...(punch && { punch }) };
}

function isShown(
  { action, entity_type: type, entity_id: id, metadata }: AuditEventRow,
  record: StoredRecord | undefined,
  of: HoursOf,
  { corrections, people }: Shown,
): boolean {
  if (action === 'user.erased') return people.has(id ?? '');
  if (type === 'attendance_correction') return corrections.has(id ?? '');
  if (metadata.siteId !== of.site.id || !of.periods.has(String(metadata.period))) return false;
  const isOfMonth = metadata.period === of.month;
  if (type !== 'attendance') return isOfMonth && of.userId === undefined;
  const said = record?.record;
  if (of.userId !== undefined && said?.userId !== of.userId) return false;
  return isOfMonth || (said !== undefined && isAround(of, String(said.occurredAt)));
}
