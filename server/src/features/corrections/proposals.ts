import { StatementError } from '@svc/zk/approvals/fields';
import { type Correction, correctionSha256, readCorrection } from '@svc/zk/time/correction';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { includes, page } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { userOfMember } from '../accounts/accounts.js';
import { type AttendanceRow, listAttendance } from '../attendance/attendance.js';
import { isOwnSite, ownSites } from '../sites/sites.js';
import { peopleOf, requireUser } from '../users/users.js';
import type { ListQuery, ProposeBody } from './corrections.schema.js';
import * as store from './corrections.store.js';
import { siteOfCorrection } from './site.js';

const TTL_MS = 30 * 24 * 60 * 60_000;
const LOOKS_BACK_MS = 4 * 365 * 24 * 60 * 60_000;

export function serializeCorrection(row: store.CorrectionRow, environment: 'live' | 'test', now: number) {
  const isLate = row.state === 'proposed' && row.expires_at.getTime() <= now;
  return {
    ...{ id: row.id, environment, userId: row.user_id, siteId: row.site_id },
    state: isLate ? ('unanswered' as const) : row.state,
    ...{ cause: row.cause, note: row.note, changes: row.changes, correctionSha256: row.correction_sha256 },
    ...{ proposedBy: row.proposed_by, memberId: row.member_id, personBy: row.person_by },
    ...{ personAt: isoOrNull(row.person_at), memberAt: isoOrNull(row.member_at) },
    ...{ createdAt: iso(row.created_at), expiresAt: iso(row.expires_at), endedAt: isoOrNull(row.ended_at) },
    recordedAt: isoOrNull(row.recorded_at),
  };
}

/** 400 with the path of its first fault. */
export function requireCorrectionForm(value: unknown, path: string): Correction {
  try {
    return readCorrection(value, path);
  } catch (error) {
    if (error instanceof StatementError) return invalid(error.path, error.message);
    throw error;
  }
}

/** The correction that a member proposes, with the events that it changes as they are. */
function correctionOf(rows: Rows, { userId, cause, note, changes }: Static<typeof ProposeBody>): Correction {
  const composed = changes.map(({ old, new: next }, at) => ({
    old: old === null ? null : oldOf(rows.get(old.toLowerCase()), `body.changes.${at}.old`),
    new: next,
  }));
  const correction = { userId: userId.toLowerCase(), cause, note: note ?? null, changes: composed };
  return requireCorrectionForm(correction, 'body');
}

type Rows = ReadonlyMap<string, AttendanceRow>;

/** The events with these ids. Null: none. */
export async function rowsOf(read: Read, ids: readonly (string | null)[]): Promise<Rows> {
  const rows = await listAttendance(
    read,
    ids.flatMap((id) => id?.toLowerCase() ?? []),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function oldOf(row: AttendanceRow | undefined, path: string) {
  if (row === undefined) return invalid(path, 'is no attendance event');
  const { id, type, reason, occurred_at: at } = row;
  return { id, type, reason: reason ?? ('work' as const), occurredAt: iso(at) };
}

/** 400 unless the events that it changes are the person's own, as they are, and the new times can be. */
export function requireCorrect(rows: Rows, { userId, changes }: Correction, path: string, now: number): void {
  changes.forEach(({ old, new: next }, at) => {
    const row = old ? rows.get(old.id) : undefined;
    const own = `${path}.${at}.old`;
    if (old && row?.user_id !== userId) invalid(own, 'is no attendance event of this person');
    if (row && row.voided_by !== null) invalid(own, 'was replaced by another correction');
    const known = row && oldOf(row, own);
    const isSame =
      old?.type === known?.type && old?.reason === known?.reason && old?.occurredAt === known?.occurredAt;
    if (!isSame) invalid(own, 'is not as the event is');
    const time = next === null ? now : Date.parse(next.occurredAt);
    if (time > now || time < now - LOOKS_BACK_MS)
      invalid(`${path}.${at}.new.occurredAt`, 'must be within the last four years');
  });
}

export interface NewCorrection extends Correction {
  readonly id: string;
  readonly siteId: string | null;
  readonly createdAt: Date;
}

/** A row that waits for the other side. */
export const proposed = (
  { id, siteId, createdAt, ...correction }: NewCorrection,
  by: Pick<store.CorrectionRow, 'proposed_by' | 'member_id' | 'person_by' | 'person_at' | 'member_at'>,
): store.CorrectionRow => ({
  ...{ id, user_id: correction.userId, site_id: siteId, state: 'proposed', cause: correction.cause },
  ...{ note: correction.note, changes: correction.changes, correction_sha256: correctionSha256(correction) },
  ...by,
  ...{ created_at: createdAt, expires_at: new Date(createdAt.getTime() + TTL_MS), ended_at: null },
  recorded_at: null,
});

export const auditCorrection = (
  w: Write,
  row: Pick<store.CorrectionRow, 'id' | 'user_id' | 'correction_sha256'>,
  metadata: Readonly<Record<string, string | number>> = {},
): void =>
  w.audit({
    ...{ entityType: 'attendance_correction', entityId: row.id },
    metadata: { userId: row.user_id, correctionSha256: row.correction_sha256, ...metadata },
  });

type Context = Pick<ScopedContext, 'scope' | 'read' | 'write'> & {
  readonly deps: Pick<Deps, 'clock' | 'cursors' | 'ids'>;
};

/** A member proposes a correction. Proposing is their own yes. Nobody corrects their own hours for the account. */
export async function proposeByMember(
  context: Context & { readonly principal: ConsolePrincipal },
  input: Static<typeof ProposeBody>,
) {
  const { deps, read, write, principal } = context;
  const now = deps.clock.now();
  const userId = input.userId.toLowerCase();
  const memberId = principal.member.id;
  const rows = await rowsOf(
    read,
    input.changes.map(({ old }) => old),
  );
  const user = await requireUser(read, userId);
  const correction = correctionOf(rows, input);
  const path = 'body.changes';
  const siteId = await siteOfCorrection(read, correction, { rows, own: user.site_id, path });
  if (!isOwnSite(context, siteId)) fail('user_not_found');
  if (user.erased_at !== null) fail('user_erased');
  await requireOther(read, memberId, userId);
  requireCorrect(rows, correction, path, now);
  const at = new Date(now);
  const by = {
    proposed_by: 'member',
    member_id: memberId,
    person_by: null,
    person_at: null,
    member_at: at,
  } as const;
  const row = proposed({ ...correction, id: deps.ids(), siteId, createdAt: at }, by);
  await write('attendance.correction_proposed', async (w) => {
    auditCorrection(w, row, { by: 'member', changes: row.changes.length });
    await store.insertCorrection(w, row, undefined);
  });
  return row;
}

/** 403 if the member has shown by their phone that they are this person. */
export async function requireOther(read: Read, memberId: string, userId: string): Promise<void> {
  if ((await userOfMember(read, memberId)) === userId) fail('correction_of_oneself');
}

/** 404 also for a member whose rights are for other sites. */
export async function requireCorrection(
  read: Read,
  id: string,
  principal?: KeyPrincipal | ConsolePrincipal,
): Promise<store.CorrectionRow> {
  const row = await store.findCorrection(read, id);
  const isShown = row !== undefined && (principal === undefined || isOwnSite({ principal }, row.site_id));
  return isShown ? row : fail('correction_not_found');
}

export async function listCorrections(
  context: Context & {
    readonly principal: KeyPrincipal | ConsolePrincipal;
    readonly query: Static<typeof ListQuery>;
  },
) {
  const { deps, scope, read, query } = context;
  const siteIds = ownSites(context);
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    'corrections',
    query,
    (count, before) => store.listCorrections(read, { ...query, siteIds }, count, before),
    store.positionOf,
  );
  const now = deps.clock.now();
  const shown = items.map((row) => serializeCorrection(row, scope.environment, now));
  const corrections = includes(query, 'names') ? await withNames(read, shown) : shown;
  return { corrections, environment: scope.environment, nextCursor };
}

/** With the names of the people, and whether they are active: who has left does not answer any more. */
async function withNames<T extends { readonly userId: string }>(read: Read, corrections: readonly T[]) {
  const people = await peopleOf(
    read,
    corrections.map(({ userId }) => userId),
  );
  return corrections.map((correction) => {
    const { name = null, status = null } = people.get(correction.userId) ?? {};
    return { ...correction, userName: name, userStatus: status };
  });
}

/** The corrections of a person that wait for one of the two sides. */
export const listWaiting = (read: Read, userId: string, now: number): Promise<store.CorrectionRow[]> =>
  store.listWaiting(read, userId, new Date(now));

/** Whether there are any to delete. */
export const hasOldCorrections: typeof store.hasOld = (...of) => store.hasOld(...of);

/** Deletes the corrections of a site that have ended and were proposed before a moment. */
export const deleteOldCorrections: typeof store.deleteOld = (...of) => store.deleteOld(...of);

/** Deletes those of an erased person that belong to no site. */
export const eraseCorrections = (w: Write, userId: string): Promise<void> =>
  store.eraseCorrections(w, userId);

export type ProvedCorrection = store.ProvedCorrection;

/** Corrections with what the person's phone proved, for the file of a month. */
export const listProvedCorrections: typeof store.listProved = (...of) => store.listProved(...of);
