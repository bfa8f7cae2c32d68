import type { Static } from 'typebox';
import { catchError, fail } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { type Read, reader, type TenantWrite, type Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { countMatching } from '../../records/counts.js';
import { recordListing } from '../../records/list.js';
import { consumeCode, followCode, forgetCodes, mintCode } from '../codes/codes.js';
import { revokeIdentitiesOfDevice } from '../identities/identities.js';
import type { CreateDeviceBody, EnrollBody, PatchDeviceBody } from './devices.schema.js';
import * as store from './devices.store.js';

export const serializeDevice = store.devices.serialize;

async function withUniqueExternalId<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'devices_external_id_key')) fail('external_id_conflict');
    throw error;
  }
}

/** Creates a device for a trusted service. It is enrolled immediately. */
export function createDevice(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateDeviceBody>,
) {
  const id = ids();
  w.audit({ entityType: 'device', entityId: id });
  const device = { device_type: 'kiosk' as const, ...store.devices.fromWire(input) };
  return withUniqueExternalId(
    store.insertDevice(w, id, device, { state: 'enrolled' }, new Date(clock.now())),
  );
}

export async function updateDevice(
  w: Write,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  input: Static<typeof PatchDeviceBody>,
): Promise<store.DeviceRow> {
  w.audit({ entityType: 'device', entityId: id });
  const row = await withUniqueExternalId(
    store.updateDevice(w, id, store.devices.fromWire(input), new Date(clock.now())),
  );
  return row ?? fail((await store.findDevice(w, id)) ? 'invalid_transition' : 'device_not_found');
}

export async function findDevice(read: Read, id: string): Promise<store.DeviceRow> {
  return (await store.findDevice(read, id)) ?? fail('device_not_found');
}
export { Device } from './devices.schema.js';

type CodeDeps = Pick<Deps, 'ids' | 'clock' | 'keyring' | 'random'>;

async function mintEnrollment(w: TenantWrite, deps: CodeDeps, deviceId: string) {
  const minted = await mintCode(w, deps, 'device', deviceId);
  return { ...minted, deeplink: enrollDeeplink(minted.code) };
}

/** Creates a device in the console. It is inactive until it is enrolled with its one-time code. */
export async function createPendingDevice(
  w: TenantWrite,
  deps: CodeDeps,
  input: Static<typeof CreateDeviceBody>,
) {
  const id = deps.ids();
  w.audit({ entityType: 'device', entityId: id });
  const device = { device_type: 'kiosk' as const, ...store.devices.fromWire(input) };
  const insert = store.insertDevice(w, id, device, { state: 'pending' }, new Date(deps.clock.now()));
  const [row, enrollment] = await Promise.all([insert, mintEnrollment(w, deps, id)]);
  return { device: serializeDevice(row), enrollment };
}

/** The previous code is invalid once this commits. A concurrent claim either commits first or fails. */
export async function regenerateCode(w: TenantWrite, deps: CodeDeps, id: string) {
  w.audit({ entityType: 'device', entityId: id });
  const [row, enrollment] = await Promise.all([store.lockDevice(w, id), mintEnrollment(w, deps, id)]);
  if (row === undefined) fail('device_not_found');
  // The phone of a registration ceremony already has a fingerprint. Only the ceremony can enroll it.
  const awaitsCode =
    row.enrollment_state === 'pending' && row.status !== 'retired' && row.fingerprint === null;
  if (!awaitsCode) fail('device_not_pending');
  return { device: serializeDevice(row), enrollment };
}

/** Permanently revokes a device, its code and the identities created on it, and ends their sessions. Repeating it changes nothing. */
export async function revokeDevice(
  {
    read,
    write,
    deps,
  }: Pick<ScopedContext, 'read'> & {
    readonly write: <T>(action: AuditAction, work: (w: Write) => Promise<T>) => Promise<T>;
    readonly deps: Pick<Deps, 'clock'>;
  },
  id: string,
): Promise<store.DeviceRow> {
  const device = await findDevice(read, id);
  if (device.enrollment_state === 'revoked') return device;
  const now = new Date(deps.clock.now());
  const revoking = write('device.revoked', async (w) => {
    w.audit({ entityType: 'device', entityId: id });
    const [row] = await Promise.all([
      store.revokeDevice(w, id, now),
      forgetCodes(w, id),
      revokeIdentitiesOfDevice(w, id, now),
    ]);
    return row ?? fail('device_not_found', { because: 'revoked concurrently' });
  });
  return (await catchError('device_not_found', revoking)) ?? findDevice(read, id);
}

/** Claims a pending device with its code. Every failure returns the same 404 after the same look-ups. */
export async function enrollByCode(
  { deps, address, writeIn }: Pick<BaseContext, 'deps' | 'address' | 'writeIn'>,
  input: Static<typeof EnrollBody>,
): Promise<store.DeviceRow> {
  const now = new Date(deps.clock.now());
  const fingerprint = isFingerprint(input.fingerprint) ? input.fingerprint : null;
  const claim = await deps.codeGuard.watch({ address, subjectId: input.device_id }, () =>
    followCode(deps, 'device', input.enrollment_code, now, (code) =>
      store.findClaim(reader(deps.db, code.scope), code.subjectId, {
        deviceId: input.device_id,
        fingerprint,
      }),
    ),
  );
  if (claim === undefined || fingerprint === null)
    return fail('enrollment_failed', { because: 'code, device, fingerprint or tenant' });
  try {
    return await writeIn(
      claim.code.scope,
      { type: 'phone', id: claim.device_id },
      'device.enrolled',
      async (w) => {
        w.audit({ entityType: 'device', entityId: claim.device_id });
        // Lock the device before its code, in the same order as regenerating and revoking.
        const [row, consumed] = await Promise.all([
          store.enrollDevice(w, claim.device_id, fingerprint, input.attestation_kind ?? null, now),
          consumeCode(w, claim.code.hash, 'device', now),
        ]);
        return consumed && row ? row : fail('enrollment_failed', { because: 'claimed concurrently' });
      },
    );
  } catch (error) {
    if (violates(error, 'devices_fingerprint_key'))
      fail('enrollment_failed', { because: 'fingerprint registered concurrently' });
    throw error;
  }
}

/** Creates the device of a phone in a registration ceremony. It is pending until the ceremony is complete. */
export function insertCeremonyDevice(
  w: Write,
  id: string,
  phone: { fingerprint: string; attestationKind: string | undefined },
  now: Date,
): Promise<store.DeviceRow> {
  const device = { name: 'Phone', device_type: 'mobile_android' as const };
  return store.insertDevice(w, id, device, { state: 'pending', ...phone }, now);
}

/** Enrolls the phone of a completed ceremony. It needs no enrollment code. */
export const completeCeremonyDevice = (w: Write, id: string, now: Date) =>
  store.enrollDevice(w, id, null, null, now);

/** Stores how the phone of a ceremony attested. The phone may send this after its device was created. */
export const noteAttestation = (w: Write, id: string, kind: string, now: Date): Promise<void> =>
  store.noteAttestation(w, id, kind, now);

/** Revokes the phone of a registration session that ended without success. */
export const revokePhone = (w: Write, sessionId: string, now: Date): Promise<void> =>
  store.revokePhone(w, sessionId, now);

/** Revokes the pending device of an expired ceremony, so its phone can join a new one before the old one is closed. */
export const freeFingerprint = (w: Write, fingerprint: string, now: Date): Promise<void> =>
  store.freeFingerprint(w, fingerprint, now);

/** The names of the devices with these ids. */
export async function namesOf(
  read: Read,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = known.length === 0 ? [] : await store.listNames(read, known);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The list of the console. */
export const deviceListing = recordListing({
  record: store.devices,
  select: store.selectDevices,
  position: store.devicePosition,
  count: (read: Read, query: store.DeviceSearch) => countMatching(read, 'devices', query, store.countDevices),
});

/** Revokes a person's phones and removes what they say of the person. @returns the ids of those that were not revoked before */
export const erasePhones = (w: Write, ids: readonly string[], now: Date): Promise<string[]> =>
  store.erasePhones(w, ids, now);
