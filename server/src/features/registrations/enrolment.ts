import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import { reader, type Write } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { iso } from '../../records/schema.js';
import { type NoticeContext, warnOwners } from '../accounts/accounts.js';
import { insertKey, type PreparedKey, prepareKey, type SentKey } from '../attestation/attestation.js';
import { consumeCode, type OfCode } from '../codes/codes.js';
import { completeCeremonyDevice, serializeDevice } from '../devices/devices.js';
import {
  cooldownMs,
  type Enrolled,
  enrol,
  enrolledMetadata,
  enrolmentOf,
  insertIdentity,
  mostIdentities,
} from '../identities/identities.js';
import { findUser, insertUser, nameConfirmation, serializeUser, usePrimaryDevice } from '../users/users.js';
import { readProfile, typedAtDevice } from './profile.js';
import * as store from './registrations.store.js';

export const admissionOf = (policy: SecurityPolicy): store.Admission => ({
  protects: policy.protect_identities === true,
  mostIdentities: mostIdentities(policy),
});

export const phoneActor = (deviceId: string | null) => ({ type: 'phone', id: deviceId }) as const;

/** A session that waits for its proof, with an attempt reserved. */
export type Reserved = OfCode<store.Provable>;

type Enrolling = Pick<BaseContext, 'writeIn'> &
  NoticeContext & { readonly deps: Pick<Deps, 'anchoring' | 'db' | 'ids' | 'random' | 'keyring' | 'sealer'> };

/** A new identity, and the attestation key that came with it. */
interface Enrolment {
  readonly enrolled: Enrolled;
  readonly key: PreparedKey | undefined;
}

/** Only this response tells the phone the id, which each of its assertions names. */
const keyIn = (key: Enrolment['key']) => (key === undefined ? {} : { attestationKeyId: key.id });

const usedConcurrently = () => fail('verify_failed', { because: 'used concurrently' });

/** What a valid proof does: it completes the ceremony, or opens a recovery. */
export async function enroll(context: Enrolling, opened: Reserved, sent: SentKey | undefined, now: Date) {
  const { deps } = context;
  const { did, commitment, code, for_user_id: existing } = opened;
  const userId = existing ?? deps.ids();
  const enrolled = enrol(deps, code.scope, { identityId: deps.ids(), userId, did, commitment });
  const key = sent && (await prepareKey(deps, code.scope, sent));
  return opened.recovers
    ? openRecovery(context, opened, { enrolled, key }, now)
    : completeRegistration(context, opened, { enrolled, key }, now);
}

/** What the person begins with. One that a version before let a device send is cut down to what it may send now. */
const profileOf = ({ profile, opened_by_device }: Reserved) =>
  readProfile(opened_by_device === null ? profile : typedAtDevice(profile));

/** A new person, or the existing one. Their primary device is now this phone. */
async function personOf(w: Write, opened: Reserved, userId: string, now: Date) {
  const { for_user_id: existing, device_id } = opened;
  if (existing) return (await usePrimaryDevice(w, userId, device_id, now)) ?? usedConcurrently();
  const profile = { primaryDeviceId: device_id, ...profileOf(opened) };
  const { opened_by: memberId, opened_by_device: deviceId, name_how: how, created_at: openedAt } = opened;
  const isUnconfirmed = deviceId !== null || opened.by_reception;
  return insertUser(w, userId, profile, now, {
    email_from_device: isUnconfirmed && profile.email !== undefined,
    name_confirmation:
      memberId === null || how === null ? null : nameConfirmation({ memberId, deviceId, how }, openedAt),
  });
}

async function completeRegistration(
  { deps, writeIn }: Enrolling,
  opened: Reserved,
  { enrolled, key }: Enrolment,
  now: Date,
) {
  const { code, session_id, device_id: deviceId, failures: tries } = opened;
  const externalId = profileOf(opened).externalId ?? null;
  const source = { externalId, attestation: null, deviceId };
  const admission = admissionOf(code.policy);
  const done = await writeIn(code.scope, phoneActor(deviceId), 'registration.completed', async (w) => {
    w.audit({ action: 'device.enrolled', entityType: 'device', entityId: deviceId });
    const metadata = { deviceId, tries, ...enrolledMetadata(enrolled) };
    w.audit({ entityType: 'registration', entityId: session_id, metadata });
    const [moved, consumed, device, user] = await Promise.all([
      store.completeSession(w, session_id, enrolled.userId, admission, now),
      consumeCode(w, code.hash, 'verify', now),
      completeCeremonyDevice(w, deviceId, now),
      personOf(w, opened, enrolled.userId, now),
      insertIdentity(w, deps, enrolled, source, now),
      key && insertKey(w, { ...key, identityId: enrolled.identityId }, now),
    ]);
    if (!consumed || !moved || !device) return usedConcurrently();
    return { session_id, tenant_user: serializeUser(user), device: serializeDevice(device) };
  });
  const enrolment = await enrolmentOf(reader(deps.db, code.scope), enrolled, now);
  return { ...done, ...keyIn(key), state: 'completed' as const, enrolment };
}

/** The identity waits for the end of the recovery. It is unusable until then, but its DID and commitment are taken. */
async function openRecovery(context: Enrolling, opened: Reserved, { enrolled, key }: Enrolment, now: Date) {
  const { deps, writeIn } = context;
  const { code, session_id, device_id: deviceId } = opened;
  const { identityId, userId, salt, leaf } = enrolled;
  const completesAt = new Date(now.getTime() + cooldownMs(code.policy));
  const twoPerson = code.policy.recovery_two_person === true;
  const isHeld = twoPerson || opened.by_reception;
  const source = { externalId: null, attestation: null, deviceId, inForceAt: 'infinity' } as const;
  const admission = admissionOf(code.policy);
  const recovery = await writeIn(code.scope, phoneActor(deviceId), 'identity.recovery_opened', async (w) => {
    w.audit({ action: 'device.enrolled', entityType: 'device', entityId: deviceId });
    const metadata = {
      userId,
      identityId,
      deviceId,
      pending_leaf: leaf,
      completes_at: iso(completesAt),
      ...(isHeld && { two_person: true }),
    };
    w.audit({ entityType: 'recovery', entityId: session_id, metadata });
    const [moved, consumed, device, user] = await Promise.all([
      store.openRecovery(w, session_id, { identityId, completesAt, twoPerson }, admission, now),
      consumeCode(w, code.hash, 'verify', now),
      completeCeremonyDevice(w, deviceId, now),
      findUser(w, userId),
      insertIdentity(w, deps, enrolled, source, now),
      key && insertKey(w, { ...key, identityId: enrolled.identityId }, now),
    ]);
    if (!consumed || !moved || !device || !user) return usedConcurrently();
    return {
      session_id,
      tenant_user: serializeUser(user),
      device: serializeDevice(device),
      ...keyIn(key),
      state: 'pending_recovery' as const,
      completesAt: iso(completesAt),
      enrolment: { identityId, userId, salt, leaf, seq: null },
    };
  });
  warnOwners(context, code.scope.tenantId, {
    subject: `a recovery was opened (${code.scope.environment})`,
    what: `A new phone asks to replace the phones of the person ${userId} in the ${code.scope.environment} environment. ${
      isHeld
        ? `It waits until ${opened.by_reception ? 'an owner' : 'an owner who did not open it'} confirms it, and at least until ${iso(completesAt)}.`
        : `It does so at ${iso(completesAt)}, unless somebody contests or cancels it.`
    }`,
    advice: 'cancel the recovery.',
  });
  return recovery;
}
