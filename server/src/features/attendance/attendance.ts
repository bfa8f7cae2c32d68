import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Read, Write } from '../../ledger/write.js';
import { countMatching } from '../../records/counts.js';
import { recordListing } from '../../records/list.js';
import type { DeletedRows, OldRows } from '../../records/old-rows.js';
import { requireLiving } from '../users/users.js';
import { eventPosition, occurredAt, withNames } from '../verifications/verifications.js';
import type { CreateAttendanceBody } from './attendance.schema.js';
import * as store from './attendance.store.js';
import * as months from './months.store.js';

export const serializeAttendance = store.attendance.serialize;

/**
 * Records a check-in or check-out. Default result: that of the verification, where `pass` is accepted, and `fail` and
 * `challenge` are rejected. Without a verification it is accepted.
 */
export async function createAttendance(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateAttendanceBody>,
): Promise<store.AttendanceRow> {
  const now = clock.now();
  const id = ids();
  const event = {
    ...store.attendance.fromWire(input),
    id,
    environment: w.scope.environment,
    occurred_at: occurredAt(input.occurredAt, now),
    created_at: new Date(now),
    reason: input.reason ?? ('work' as const),
    evidence: 'asserted' as const,
  };
  const { row, known } = await store.insertAttendance(w, event);
  if (!known.user_known) await requireLiving(w, input.userId);
  if (!known.device_known) fail('device_not_found');
  if (!known.verification_known) fail('verification_not_found');
  if (row === undefined) return invalid('body.verificationId', 'is the verification of another user');
  const { type, reason, site_id: siteId, occurred_at: at } = row;
  const zone = known.time_zone;
  const month =
    siteId === null || zone === null ? {} : await months.numberIn(w, { id: siteId, time_zone: zone }, at);
  w.audit({
    ...{ entityType: 'attendance', entityId: id },
    metadata: { type, reason, evidence: 'asserted', ...month },
  });
  return row;
}

export async function requireAttendance(read: Read, id: string): Promise<store.AttendanceRow> {
  return (await store.findAttendance(read, id)) ?? fail('attendance_not_found');
}

export const attendanceListing = recordListing({
  record: store.attendance,
  select: store.selectAttendance,
  position: eventPosition,
  showNames: (read: Read, rows: readonly store.AttendanceRow[]) =>
    withNames(read, rows.map(serializeAttendance)),
  count: (read: Read, query: store.SearchQuery) =>
    countMatching(read, 'attendance', query, store.countAttendance),
});

/** Counts the attendance events from before that moment, at most about `limit`. */
export const countOldAttendance = (read: Read, before: Date, limit: number): Promise<number> =>
  store.countOld(read, before, limit);

/** Deletes a batch of the attendance events from before a moment. */
export const deleteOldAttendance = (w: Write, old: OldRows): Promise<DeletedRows> => store.deleteOld(w, old);

/** Inserts an event whose references the write has checked. */
export const insertProved: typeof store.insertProved = (...event) => store.insertProved(...event);

export type AttendanceRow = store.AttendanceRow;

export const voidAttendance: typeof store.voidEvents = (...events) => store.voidEvents(...events);

export const listAttendance = (read: Read, ids: readonly string[]): Promise<store.AttendanceRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : store.listByIds(read, ids);

export const findAttendance = (read: Read, id: string): Promise<store.AttendanceRow | undefined> =>
  store.findAttendance(read, id);

export const findLatestDeclared: typeof store.findLatestDeclared = (...of) => store.findLatestDeclared(...of);

export const contestAttendance = (w: Write, id: string, now: Date) => store.contest(w, id, now);

export const ownOfMonth = store.ownOfMonth;
export const eventsOfSite = store.eventsOfSite;

export const correctionsOfEvents: typeof store.correctionsOfEvents = (...of) =>
  store.correctionsOfEvents(...of);

export const deleteHours: typeof store.deleteHours = (...old) => store.deleteHours(...old);
export const countHours: typeof store.countHours = (...old) => store.countHours(...old);
export const lastSiteOf: typeof store.lastSiteOf = (...of) => store.lastSiteOf(...of);

export const lastHours: typeof store.lastHours = (...of) => store.lastHours(...of);

export { Activity, Attendance, EventType, Mode, NamedAttendance, Reason } from './attendance.schema.js';
export { firstKeptMonth, monthFrom, periodOf } from './period.js';
export { readPresence } from './presence.js';
export { PresenceReply } from './presence.schema.js';

export const numberIn: typeof months.numberIn = (...of) => months.numberIn(...of);
export const numberInMonth: typeof months.numberInMonth = (...of) => months.numberInMonth(...of);

/** Removes what events say of an erased person in free text. @returns how many had some */
export const stripAttendance = (w: Write, userId: string): Promise<number> =>
  store.stripAttendance(w, userId);

/** How exports read them with what their seals are made of. */
export const sealedAttendance = store.sealedAttendance;
