import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { type Actor, isReception, mayAct, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import { deviceIdOf, memberIdOf, openerIdOf } from '../../http/principal.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import { mintCode } from '../codes/codes.js';
import { findDevice } from '../devices/devices.js';
import { readPerson } from '../identities/identities.js';
import {
  asTyped,
  claimsEntry,
  confirmNameWithin,
  externalIdTaken,
  guardClaims,
  requireLiving,
} from '../users/users.js';
import { admissionOf } from './enrolment.js';
import { readProfile, requireTyped } from './profile.js';
import type { OpenBody } from './registrations.schema.js';
import * as store from './registrations.store.js';
import { linksOf, serializeSession } from './session.js';

const TTL_MS = 30 * 60_000;

/** What a ceremony for an existing person is: a recovery, which an owner has to confirm if it was only asked for, or another phone. */
type Kind = 'recovery' | 'asked recovery' | 'phone';

/** What it is. 403 if the caller may not do that, 409 if the person has as many identities as the account allows. */
async function kindOf(w: Write, principal: Actor, userId: string, now: number): Promise<Kind> {
  await requireLiving(w, userId);
  const { had, count } = await readPerson(w, userId);
  const { protects, mostIdentities } = admissionOf(principal.tenant.securityPolicy);
  const { environment } = w.scope;
  // Reception never gives somebody a phone beside one that they had, whatever the policy says.
  if (had && (protects || isReception(principal))) {
    if (!mayAsk(principal) || mayAct('recover', principal, environment, now)) {
      requireAct('recover', principal, environment, now);
      return 'recovery';
    }
    requireAct('ask_recovery', principal, environment, now);
    return 'asked recovery';
  }
  requireAct('add_phone', principal, environment, now);
  if (count >= mostIdentities) fail('identity_limit_reached');
  return 'phone';
}

/** Members who may not open a recovery ask for one. Programs and devices do not. */
const mayAsk = (principal: Actor): boolean => memberIdOf(principal) !== null;

export async function openSession(
  w: TenantWrite,
  deps: Pick<Deps, 'clock' | 'config' | 'effects' | 'ids' | 'keyring' | 'random'>,
  principal: Actor,
  { profile, userId }: Static<typeof OpenBody>,
  how?: store.NameHow,
) {
  if (userId !== undefined && Object.keys(profile ?? {}).length > 0)
    invalid('body.profile', 'must be absent or empty beside userId');
  if (userId !== undefined && deviceIdOf(principal) !== null)
    fail('insufficient_scopes', {
      message: 'A device can only register new people, so `userId` is not allowed.',
    });
  const isDevice = deviceIdOf(principal) !== null;
  const deskId = openerIdOf(principal);
  if (deskId !== null) requireTyped(profile ?? {});
  const person = readProfile(profile ?? null);
  const { externalId, primaryDeviceId } = person;
  const now = deps.clock.now();
  const id = deps.ids();
  // The e-mail of a device is no claim until somebody confirms it.
  const claims = !isDevice && (await guardClaims(w, principal, now, asTyped(principal, person)));
  const kind = userId === undefined ? undefined : await kindOf(w, principal, userId, now);
  const metadata = { ...(userId && { userId }), ...claimsEntry(claims), ...(how && { how }) };
  w.audit({ entityType: 'registration', entityId: id, metadata });
  const session: store.NewSession = {
    id,
    profile: userId === undefined ? (profile ?? null) : null,
    userId: userId ?? null,
    recovers: kind === 'recovery' || kind === 'asked recovery',
    byReception: kind === 'asked recovery' || isReception(principal),
    openedBy: memberIdOf(principal),
    openedByDevice: deskId,
    nameHow: userId === undefined ? (how ?? null) : null,
    expiresAt: new Date(now + TTL_MS),
  };
  const [taken, row, pair] = await Promise.all([
    externalId === undefined ? false : externalIdTaken(w, externalId),
    store.insertSession(w, session, new Date(now)),
    mintCode(w, deps, 'pair', id),
    primaryDeviceId && findDevice(w, primaryDeviceId),
  ]);
  if (taken) fail('external_id_conflict');
  if (isDevice && deskId !== null) await deps.effects.personBegan(w, deskId);
  const memberId = memberIdOf(principal);
  if (userId !== undefined && how !== undefined && memberId !== null)
    await confirmNameWithin(w, userId, { memberId, deviceId: deskId, how }, new Date(now));
  return {
    session: serializeSession(row, now),
    pair: { ...pair, ...linksOf(deps, 'pair', id, pair.code) },
  };
}
