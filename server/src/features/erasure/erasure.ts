import { catchError, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { Write } from '../../ledger/write.js';
import { eraseApprovals } from '../approvals/approvals.js';
import { stripAttendance } from '../attendance/attendance.js';
import { eraseBrowsers } from '../browsers/browsers.js';
import { erasePhones } from '../devices/devices.js';
import { eraseIdentities } from '../identities/identities.js';
import { endGrantsOfIdentities, eraseStates } from '../openid-provider/openid-provider.js';
import { erasePairings } from '../pairing/pairing.js';
import { eraseAdditions } from '../phones/phones.js';
import { eraseRegistrations } from '../registrations/registrations.js';
import { eraseHours, hoursKeptUntil } from '../retention/retention.js';
import { prepareHashing } from '../sealing/sealing.js';
import { eraseSessions } from '../sessions/sessions.js';
import { eraseSubjects } from '../sso/sso.js';
import * as users from '../users/users.js';
import { stripVerifications } from '../verifications/verifications.js';

const DAY_MS = 24 * 60 * 60_000;
const MAX_PER_DAY = 100;

/** How a person is erased. */
export interface ErasureRequest {
  readonly reason: 'request' | 'retention' | 'error';
  /** What becomes of the free text in the person's events. */
  readonly events: 'keep' | 'strip';
  /** What becomes of working time that is still kept: it refuses the erasure, or is erased when its time is over. */
  readonly hours: 'refuse' | 'later';
  /** The API key that asks, if one does. */
  readonly keyId: string | null;
  /** Of an erasure that a restored database lacks. Default: a new one. */
  readonly erasureId?: string;
}

type ErasureDeps = Pick<Deps, 'clock' | 'ids' | 'keyring'>;

/** A stolen key must not be able to erase everybody before somebody notices. */
async function requireAllowance(w: Write, keyId: string | null, now: Date): Promise<void> {
  const { count, first } = await users.countErasures(w, keyId, new Date(now.getTime() - DAY_MS));
  if (count < MAX_PER_DAY || first === null) return;
  fail('rate_limit_exceeded', {
    message: 'A key can erase 100 people a day.',
    retryAfterSeconds: Math.max(1, Math.ceil((first.getTime() + DAY_MS - now.getTime()) / 1000)),
  });
}

/**
 * Erases a person within a write: ends everything that the person can still use, and removes every personal value from every table.
 * The ids stay, so that counts and the audit chain stay whole. 409 if the person was erased before. Call `prepareHashing` before the write.
 */
export async function eraseUser(
  w: Write,
  deps: ErasureDeps,
  userId: string,
  { reason, events, hours, keyId, erasureId = deps.ids() }: ErasureRequest,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const { externalId } = users.serializeUser(await users.requireLiving(w, userId));
  const until = await hoursKeptUntil(w, userId, now);
  if (until !== undefined && hours === 'refuse')
    fail('hours_kept', { message: `The working time of this person is kept until ${until}.`, until });
  const own = await users.findOwnPhone(w, userId);
  // First what ends a recovery, because that deletes its identity and revokes its phone.
  const registered = await eraseRegistrations(w, { userId, externalId }, now);
  const { ids: identityIds, dids, deviceIds } = await eraseIdentities(w, deps, userId, now);
  const phones = [...new Set([...registered, ...deviceIds, ...(own ? [own] : [])])];
  const [revoked, stripped] = await Promise.all([
    erasePhones(w, phones, now),
    events === 'keep' ? undefined : Promise.all([stripVerifications(w, userId), stripAttendance(w, userId)]),
    eraseSessions(w, { userId, identityIds }, now),
    endGrantsOfIdentities(w, identityIds, now),
    eraseStates(w, identityIds),
    eraseAdditions(w, dids),
    erasePairings(w, userId),
    eraseApprovals(w, userId),
    eraseBrowsers(w, userId),
    eraseHours(w, userId, until !== undefined),
    eraseSubjects(w, userId),
    users.eraseUser(w, userId, { id: erasureId, at: now, keyId }),
  ]);
  for (const entityId of revoked)
    w.audit({ action: 'device.revoked', entityType: 'device', entityId, metadata: { by: 'erasure' } });
  const [verifications = 0, attendance = 0] = stripped ?? [];
  w.audit({
    action: 'user.erased',
    entityType: 'user',
    entityId: userId,
    metadata: { erasureId, reason, events, verifications, attendance },
  });
  if (until !== undefined)
    w.audit({
      action: 'user.erasure_scheduled',
      entityType: 'user',
      entityId: userId,
      metadata: { erasureId, until },
    });
}

type Context = Pick<ScopedContext, 'read' | 'write' | 'scope'> & {
  readonly deps: ErasureDeps & Pick<Deps, 'db' | 'erasures' | 'random'>;
};

/** Erases a person. Repeating it changes nothing and returns the same erasure. */
export async function erase(
  { read, write, scope, deps }: Context,
  userId: string,
  request: Omit<ErasureRequest, 'erasureId'>,
) {
  if ((await users.requireUser(read, userId)).erased_at === null) {
    await prepareHashing(deps);
    const erasing = write('user.erased', async (w) => {
      await requireAllowance(w, request.keyId, new Date(deps.clock.now()));
      await eraseUser(w, deps, userId, request);
      return true;
    });
    // Another request erased the person first.
    await catchError('user_erased', erasing);
  }
  const [user, erasure] = await Promise.all([
    users.requireUser(read, userId),
    users.findErasure(read, userId),
  ]);
  if (erasure === undefined) throw new Error('An erased person has no erasure');
  const { erasure_id: id, erased_at } = erasure;
  const erasedAt = erased_at.toISOString();
  // Before the response, so that nothing acknowledged is lost with the database.
  await deps.erasures?.record({ ...scope, userId, erasureId: id, erasedAt });
  return { user: users.serializeUser(user), erasure: { id, erasedAt } };
}
