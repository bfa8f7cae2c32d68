import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { StaffPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Write } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import {
  type AttendanceRow,
  findLatestDeclared,
  insertProved,
  numberIn,
  serializeAttendance,
} from '../attendance/attendance.js';
import { decideByPerson, listWaiting, serializeCorrection } from '../corrections/corrections.js';
import { monthOf } from '../sheets/sheets.js';
import { findSite, type SiteRow, siteOfDevice } from '../sites/sites.js';
import { requireLiving } from '../users/users.js';
import { type DeskContext, personByPin } from './pins.js';
import type { DeclaredAct, NumberAndPin } from './pins.schema.js';

/** The same act again so soon is the same event: the answer was lost, or somebody touched twice. */
const SAME_MS = 60_000;

interface Declared {
  readonly userId: string;
  readonly site: SiteRow | undefined;
  readonly deviceId: string;
  readonly by: 'pin' | 'member';
}

async function declare(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  { userId, site, deviceId, by }: Declared,
  { type, reason = 'work', activity }: DeclaredAct,
): Promise<AttendanceRow> {
  const now = new Date(clock.now());
  const [id, { environment }] = [ids(), w.scope];
  const month = site && numberIn(w, site, now);
  const inserted = insertProved(w, {
    ...{
      id,
      environment,
      user_id: userId,
      type,
      reason,
      activity: activity ?? null,
      mode: 'desk',
      evidence: 'declared',
    },
    ...{ site_id: site?.id ?? null, device_id: deviceId, result: 'accepted', metadata: { by } },
    ...{ occurred_at: now, created_at: now },
  });
  const [numbered, row] = await Promise.all([month, inserted]);
  w.audit({
    ...{ entityType: 'attendance', entityId: id },
    metadata: { type, reason, at: iso(now), evidence: 'declared', by, codeId: deviceId, ...numbered },
  });
  return row;
}

/** Whose number and PIN these are. One that a member drew and printed has to be changed first, because the member knows it. */
async function personHere(context: DeskContext, known: NumberAndPin) {
  const person = await personByPin(context, known);
  return person.must_change ? fail('pin_change_required') : person;
}

/** A person clocks in or out with their number and PIN. */
export async function declareByPin(
  context: DeskContext,
  { number, pin, ...act }: NumberAndPin & DeclaredAct,
) {
  const { deps, read, write, principal } = context;
  const person = await personHere(context, { number, pin });
  const deviceId = principal.device.id;
  const reason = act.reason ?? 'work';
  const since = new Date(deps.clock.now() - SAME_MS);
  const same = await findLatestDeclared(read, { userId: person.id, deviceId, since });
  if (same?.type === act.type && same.reason === reason) return { attendance: serializeAttendance(same) };
  const site = await findSite(read, person.site_id);
  const declared = { userId: person.id, site, deviceId, by: 'pin' } as const;
  const row = await write('attendance.created', (w) => declare(w, deps, declared, act));
  return { attendance: serializeAttendance(row) };
}

/** A member beside a person clocks them in or out. */
export async function declareByMember(
  {
    deps,
    read,
    write,
    principal,
  }: Pick<ScopedContext, 'read' | 'write'> & {
    readonly deps: Pick<Deps, 'ids' | 'clock'>;
    readonly principal: StaffPrincipal;
  },
  { userId, ...act }: DeclaredAct & { readonly userId: string },
) {
  const deviceId = principal.desk.id;
  const user = await requireLiving(read, userId);
  if (user.status !== 'active') return fail('user_not_found');
  const site =
    user.site_id === null ? await siteOfDevice(read, deviceId) : await findSite(read, user.site_id);
  const declared = { userId: user.id, site, deviceId, by: 'member' } as const;
  const row = await write('attendance.created', (w) => declare(w, deps, declared, act));
  return { attendance: serializeAttendance(row) };
}

/** A person without a phone reads their month, to print it, and the corrections that wait for them. */
export async function readOwnMonth(
  context: DeskContext,
  { month, ...known }: NumberAndPin & { readonly month: string },
) {
  const { deps, read, scope } = context;
  const person = await personHere(context, known);
  const site = (await findSite(read, person.site_id)) ?? fail('desk_without_site');
  const [own] = await monthOf(read, site, month, person.id);
  const sheet = own ?? fail('user_not_found');
  const corrections = await listWaiting(read, person.id, deps.clock.now());
  const now = deps.clock.now();
  return {
    ...{ month, timeZone: sheet.sheet.zone, sheet },
    corrections: corrections.map((row) => serializeCorrection(row, scope.environment, now)),
  };
}

/** A person without a phone decides about a correction. */
export async function decideByPin(
  context: DeskContext,
  id: string,
  { decision, ...known }: NumberAndPin & { readonly decision: 'agree' | 'contest' },
) {
  const { deps, read, write, scope } = context;
  const person = await personHere(context, known);
  const row = await decideByPerson({ deps, read, write }, { id, userId: person.id, decision });
  return { correction: serializeCorrection(row, scope.environment, deps.clock.now()) };
}
