import type { CorrectedTime } from '@svc/zk/time/correction';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { type AttendanceRow, insertProved, numberIn, voidAttendance } from '../attendance/attendance.js';
import { findSite, type SiteRow } from '../sites/sites.js';
import { findUser } from '../users/users.js';
import * as store from './corrections.store.js';
import { auditCorrection, requireCorrection, requireOther } from './proposals.js';

type WriteDeps = Pick<Deps, 'ids' | 'clock'>;

const ACTIONS = {
  agreed: 'attendance.correction_agreed',
  contested: 'attendance.correction_contested',
  unanswered: 'attendance.correction_unanswered',
  withdrawn: 'attendance.correction_withdrawn',
} as const;

/** Ends a correction within a write, and applies it if both sides agree. 409 if it has ended, or what it changes has. */
export async function settle(
  w: Write,
  deps: WriteDeps,
  id: string,
  ending: store.Ending,
  now: Date,
): Promise<store.CorrectionRow> {
  const row = await store.endCorrection(w, id, ending, now);
  if (row === undefined) return fail('correction_closed');
  const isByPerson = ending.state === 'agreed' && ending.person !== undefined;
  // The member may have shown that they are this person after they proposed.
  if (isByPerson && row.member_id !== null) await requireOther(w, row.member_id, row.user_id);
  auditCorrection(w, row, { state: ending.state });
  if (ending.state === 'agreed') await apply(w, deps, row, now);
  return row;
}

export const actionOf = (state: store.Ending['state']) => ACTIONS[state];

/** Replaces events by those of the correction. Both stay: the old ones are voided, and the new ones name the correction. */
export async function apply(w: Write, deps: WriteDeps, row: store.CorrectionRow, now: Date): Promise<void> {
  const olds = row.changes.flatMap(({ old }) => old?.id ?? []);
  if (olds.length > 0) await voidEvents(w, olds, row);
  await insertEvents(w, deps, row, { evidence: 'agreed', now });
}

/** Voids events. Each has an entry, so that a file of the month shows which of them count. */
async function voidEvents(w: Write, ids: readonly string[], row: store.CorrectionRow): Promise<void> {
  const voided = await voidAttendance(w, ids, row);
  if (voided.length !== ids.length) fail('correction_outdated');
  for (const { id, site_id: siteId, occurred_at: at } of voided) {
    const site = siteId === null ? undefined : await findSite(w, siteId);
    const month = site && (await numberIn(w, site, at));
    w.audit({
      ...{ action: 'attendance.voided', entityType: 'attendance', entityId: id },
      metadata: { correctionId: row.id, ...month },
    });
  }
}

/** Inserts the new events of a correction. Returns them. */
async function insertEvents(
  w: Write,
  { ids }: Pick<Deps, 'ids'>,
  row: store.CorrectionRow,
  { evidence, now }: { readonly evidence: 'agreed' | 'asserted'; readonly now: Date },
): Promise<AttendanceRow[]> {
  const site = row.site_id === null ? undefined : await findSite(w, row.site_id);
  const news = row.changes.flatMap(({ new: next }) => next ?? []);
  return Promise.all(news.map((next) => insertEvent(w, { id: ids(), row, next, site, evidence }, now)));
}

interface NewEvent {
  readonly id: string;
  readonly row: store.CorrectionRow;
  readonly next: CorrectedTime;
  readonly site: SiteRow | undefined;
  readonly evidence: 'agreed' | 'asserted';
}

async function insertEvent(
  w: Write,
  { id, row, next, site, evidence }: NewEvent,
  now: Date,
): Promise<AttendanceRow> {
  const { type, reason } = next;
  const at = new Date(next.occurredAt);
  const [month, event] = await Promise.all([
    site && numberIn(w, site, at),
    insertProved(w, {
      ...{ id, environment: w.scope.environment, user_id: row.user_id, type, reason, evidence },
      ...{ site_id: site?.id ?? null, correction_id: row.id, result: 'accepted' },
      ...{ occurred_at: at, created_at: now },
    }),
  ]);
  w.audit({
    ...{ action: 'attendance.created', entityType: 'attendance', entityId: id },
    metadata: { type, reason, evidence, at: iso(at), correctionId: row.id, ...month },
  });
  return event;
}

type Context = Pick<ScopedContext, 'read' | 'write'> & {
  readonly deps: WriteDeps;
  readonly principal: ConsolePrincipal;
};

/** A member decides about what a person proposed. */
export async function decideByMember(
  { deps, read, write, principal }: Context,
  id: string,
  decision: 'agree' | 'contest',
): Promise<store.CorrectionRow> {
  const row = await requireCorrection(read, id, principal);
  if (row.proposed_by === 'member') return fail('correction_waits_for_person');
  const member = principal.member.id;
  await requireOther(read, member, row.user_id);
  const state = decision === 'agree' ? ('agreed' as const) : ('contested' as const);
  const now = new Date(deps.clock.now());
  return write(actionOf(state), (w) => settle(w, deps, id, { state, member }, now));
}

/** A person without a phone decides, after they showed who they are. 404 if it is about somebody else. */
export async function decideByPerson(
  { deps, read, write }: Omit<Context, 'principal'>,
  {
    id,
    userId,
    decision,
  }: { readonly id: string; readonly userId: string; readonly decision: 'agree' | 'contest' },
): Promise<store.CorrectionRow> {
  const row = await requireCorrection(read, id);
  if (row.user_id !== userId) return fail('correction_not_found');
  if (row.proposed_by === 'person') return fail('correction_waits_for_member');
  const state = decision === 'agree' ? ('agreed' as const) : ('contested' as const);
  const now = new Date(deps.clock.now());
  return write(actionOf(state), (w) => settle(w, deps, id, { state, person: { by: 'pin' } }, now));
}

/** Who proposed it for the account takes it back, before the person decides. */
export async function withdrawByMember(
  { deps, read, write, principal }: Context,
  id: string,
): Promise<store.CorrectionRow> {
  const row = await requireCorrection(read, id, principal);
  if (row.proposed_by === 'person') return fail('correction_waits_for_member');
  const now = new Date(deps.clock.now());
  return write(actionOf('withdrawn'), (w) => settle(w, deps, id, { state: 'withdrawn' }, now));
}

/**
 * Records what the account says of a correction that the person contested or did not answer, or of a person who has left: asserted events,
 * beside those of the person and never instead of them.
 */
export async function recordAsserted({ deps, read, write, principal }: Context, id: string) {
  const row = await requireCorrection(read, id, principal);
  await requireOther(read, principal.member.id, row.user_id);
  const now = new Date(deps.clock.now());
  if (!(await mayAssert(read, row, now))) return fail('correction_open');
  const attendance = await write('attendance.correction_recorded', async (w) => {
    auditCorrection(w, row);
    if (!(await store.markRecorded(w, id, now))) return fail('correction_closed');
    return insertEvents(w, deps, row, { evidence: 'asserted', now });
  });
  return { row: { ...row, recorded_at: now }, attendance };
}

async function mayAssert(read: Read, row: store.CorrectionRow, now: Date): Promise<boolean> {
  if (row.state === 'contested' || row.state === 'unanswered') return true;
  if (row.state !== 'proposed') return false;
  const user = await findUser(read, row.user_id);
  return row.expires_at <= now || user?.status !== 'active';
}
