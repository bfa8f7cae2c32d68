import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { DevicePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { EventStream, type ServerEvent, type StartPosition } from '../../http/transport/sse.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import { headOf, readFollowed, reserveSlot } from '../events/events.js';
import { firstNameOf } from '../users/users.js';
import { msToNextSlot, showCode } from './codes.js';

type Context = Pick<ScopedContext, 'scope' | 'read'> & {
  readonly deps: Deps;
  readonly principal: KeyPrincipal | DevicePrincipal;
};

const PUNCHES = { types: new Set(['attendance.created']), outcome: 'success' } as const;
const PAGE_SIZE = 100;

const deviceOf = ({ principal }: Pick<Context, 'principal'>) =>
  'device' in principal ? principal.device.id : null;

/** A device has one code, and so has a key. */
const codeIdOf = ({ principal }: Pick<Context, 'principal'>) =>
  'device' in principal ? principal.device.id : principal.keyId;

/** The live code of a device, or of a program, which has no place. */
export function openCode(context: Context) {
  const { deps, scope } = context;
  const [id, deviceId] = [codeIdOf(context), deviceOf(context)];
  const shown = showCode(deps, { scope, id, deviceId }, deps.clock.now());
  return { code: { ...shown, streamUrl: `${deps.config.baseUrl}/v1/attendance/codes/${id}/stream` } };
}

/** What the desk shows of a punch. Never a list of names: at most the first name, for who has just scanned. */
async function punchEvent({ read, principal }: Context, row: AuditEventRow): Promise<ServerEvent> {
  const { type, reason, at } = row.metadata;
  const attendanceId = row.entity_id as string;
  const isNamed = principal.tenant.securityPolicy.attendance?.desk_names === 'first';
  const name = isNamed ? await firstNameOf(read, attendanceId) : undefined;
  return {
    id: String(row.seq),
    event: 'attendance',
    data: { attendanceId, type, reason, at, ...(name !== undefined && { name }) },
  };
}

/** Each new code, and each punch by a code of this id, in order and without a gap. */
async function* follow(
  context: Context,
  id: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent | StartPosition> {
  const { deps, scope, principal } = context;
  const follower = deps.followedChains.follow(scope, principal);
  let seq = from;
  let shownUntil = 0;
  try {
    yield { id: String(seq) };
    while (!signal.aborted) {
      const position = { seq, hash: undefined };
      const page = await readFollowed(context, follower, position, PUNCHES, PAGE_SIZE);
      if (page === undefined) return;
      for (const row of page.rows) if (row.metadata.codeId === id) yield await punchEvent(context, row);
      seq = page.next;
      const now = deps.clock.now();
      if (now >= shownUntil) {
        const deviceId = deviceOf(context);
        yield { event: 'code', data: showCode(deps, { scope, id, deviceId }, now) };
        shownUntil = now + msToNextSlot(now);
      }
      if (page.isAtHead) await follower.changes.wait(Math.max(0, shownUntil - now), signal);
    }
  } finally {
    follower.leave();
  }
}

/** Each watches its own code. */
export async function streamCode(
  context: Context,
  id: string,
  lastEventId: string | undefined,
): Promise<EventStream> {
  if (id !== codeIdOf(context)) return fail('attendance_code_invalid');
  const leave = reserveSlot(context);
  try {
    const resumes = /^(0|[1-9][0-9]{0,14})$/.test(lastEventId ?? '');
    const from = resumes ? Number(lastEventId) : (await headOf(context)).seq;
    return new EventStream((signal) => follow(context, id, from, signal), leave);
  } catch (error) {
    leave();
    throw error;
  }
}
