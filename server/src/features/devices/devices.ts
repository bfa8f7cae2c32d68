import type { Static } from 'typebox';
import { catchError, fail, invalid } from '../../base/errors.js';
import { type Database, violates } from '../../db/db.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, reader, type TenantWrite, type Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { countMatching } from '../../records/counts.js';
import { withExternalId } from '../../records/external-id.js';
import { recordListing } from '../../records/list.js';
import { type NoticeContext, warnOwners } from '../accounts/accounts.js';
import { consumeCode, followCode, forgetCodes, mintCode } from '../codes/codes.js';
import { enrolText, isSignedBy, readKey } from './device-keys.js';
import * as signatures from './device-signatures.store.js';
import type { CreateDeviceBody, EnrollBody, PatchDeviceBody } from './devices.schema.js';
import * as store from './devices.store.js';

export const serializeDevice = store.devices.serialize;
/** Pairs of devices from before external ids were compared in one form. */
export const listEqualIds = store.listEqualIds;

const given = (w: Write, id: string, externalId: string | null | undefined) => ({
  externalId,
  isTaken: (text: string) => store.externalIdTaken(w, text, id),
  constraint: 'devices_external_id_key',
});

/** Creates a device for a trusted service. It is enrolled immediately. */
export async function createDevice(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateDeviceBody>,
) {
  const id = ids();
  w.audit({ entityType: 'device', entityId: id });
  const device = { device_type: 'kiosk' as const, ...store.devices.fromWire(input) };
  const [isTaken, row] = await withExternalId(given(w, id, input.externalId), () =>
    store.insertDevice(w, id, device, { state: 'enrolled' }, new Date(clock.now())),
  );
  return isTaken ? fail('external_id_conflict') : row;
}

async function updateDevice(
  w: Write,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
  input: Static<typeof PatchDeviceBody>,
): Promise<store.DeviceRow> {
  let metadata = {};
  w.audit(() => ({ entityType: 'device', entityId: id, metadata }));
  const [isTaken, updated] = await withExternalId(given(w, id, input.externalId), () =>
    store.updateDevice(w, id, store.devices.fromWire(input), new Date(clock.now())),
  );
  if (updated === undefined)
    return fail((await store.findDevice(w, id)) ? 'invalid_transition' : 'device_not_found');
  const fields = Object.keys(input).sort().join(' ');
  metadata = { fields, ...(updated.isSealedAsBefore && { sealed: 'same' }) };
  return isTaken ? fail('external_id_conflict') : updated.row;
}

/** Changes a device. Streams of its session are notified after the commit. */
export async function changeDevice(
  {
    write,
    deps,
  }: Pick<ScopedContext, 'write'> & {
    readonly deps: Pick<Deps, 'clock'> & { readonly bus: Pick<Deps['bus'], 'publish'> };
  },
  id: string,
  input: Static<typeof PatchDeviceBody>,
): Promise<store.DeviceRow> {
  const row = await write('device.updated', (w) => updateDevice(w, deps, id, input));
  deps.bus.publish('device', id);
  return row;
}

export async function findDevice(read: Read, id: string): Promise<store.DeviceRow> {
  return (await store.findDevice(read, id)) ?? fail('device_not_found');
}
/** The device, if it may act: it is enrolled and active. */
export async function isAtWork(read: Read, id: string): Promise<store.DeviceRow | undefined> {
  const row = await store.findDevice(read, id);
  return row?.status === 'active' && row.enrollment_state === 'enrolled' ? row : undefined;
}

export { authenticateDevice } from './device-session.js';
export { judgeSignature } from './device-signatures.js';
export { SIGNATURE_EXPIRY } from './device-signatures.store.js';
export { Device, SignedByDevice } from './devices.schema.js';

/** The state of each device that open streams depend on. */
export const deviceStates = (db: Database, ids: readonly string[]) => signatures.deviceStates(db, ids);

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
    principal,
  }: Pick<ScopedContext, 'read'> & {
    readonly write: <T>(action: AuditAction, work: (w: Write) => Promise<T>) => Promise<T>;
    readonly deps: Pick<Deps, 'clock' | 'effects'> & { readonly bus: Pick<Deps['bus'], 'publish'> };
    /** Who asks. Absent: the service itself. */
    readonly principal?: Actor;
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
      deps.effects.deviceRevoked(w, id, now),
    ]);
    // After the lock of the device, so that none can be opened after this check. The error rolls everything back.
    if (principal !== undefined && (await store.hasRecovery(w, id)))
      requireAct('end_recovery', principal, w.scope.environment, now.getTime());
    return row ?? fail('device_not_found', { because: 'revoked concurrently' });
  });
  const revoked = await catchError('device_not_found', revoking);
  deps.bus.publish('device', id);
  return revoked ?? findDevice(read, id);
}

type EnrollInput = Static<typeof EnrollBody>;

/** The key of a device that enrolls. Undefined if it has none; null if it does not show that it has the private key. */
function readEnrollingKey({ public_key, signature, enrollment_code }: EnrollInput) {
  if (public_key === undefined && signature === undefined) return undefined;
  if (public_key === undefined) return invalid('body.public_key', 'is required with signature');
  if (signature === undefined) return invalid('body.signature', 'is required with public_key');
  const key = readKey(public_key);
  return key && isSignedBy(key.publicKey, enrolText(enrollment_code, key), signature) ? key : null;
}

/** Claims a pending device with its code. Every failure returns the same 404 after the same look-ups. */
export async function enrollByCode(
  context: NoticeContext & Pick<BaseContext, 'deps' | 'address' | 'writeIn'>,
  input: EnrollInput,
) {
  const { deps, address, writeIn } = context;
  const key = readEnrollingKey(input);
  const now = new Date(deps.clock.now());
  // Without a fingerprint, no device is found.
  const fingerprint = isFingerprint(input.fingerprint) && key !== null ? input.fingerprint : null;
  const claim = await deps.codeGuard.watch({ address, subjectId: input.device_id }, () =>
    followCode(deps, 'device', input.enrollment_code, now, (code) =>
      store.findClaim(reader(deps.db, code.scope), code.subjectId, {
        deviceId: input.device_id,
        fingerprint,
      }),
    ),
  );
  if (claim === undefined || fingerprint === null || key === null)
    return fail('enrollment_failed', { because: 'code, device, fingerprint, signature or tenant' });
  const enrolling = { fingerprint, attestationKind: input.attestation_kind, key };
  try {
    const device = await writeIn(
      claim.code.scope,
      { type: 'phone', id: claim.device_id },
      'device.enrolled',
      async (w) => {
        w.audit({ entityType: 'device', entityId: claim.device_id });
        // Lock the device before its code, in the same order as regenerating and revoking.
        const [row, consumed] = await Promise.all([
          store.enrollDevice(w, claim.device_id, enrolling, now),
          consumeCode(w, claim.code.hash, 'device', now),
        ]);
        return consumed && row ? row : fail('enrollment_failed', { because: 'claimed concurrently' });
      },
    );
    if (key !== undefined) warnOfDevice(context, claim.code.scope, device.id);
    return { device: serializeDevice(device), tenant_id: claim.code.scope.tenantId };
  } catch (error) {
    if (violates(error, 'devices_fingerprint_key'))
      fail('enrollment_failed', { because: 'fingerprint registered concurrently' });
    throw error;
  }
}

/** Tells the owners of a device that acts alone from now on. */
function warnOfDevice(context: NoticeContext, { tenantId, environment }: Scope, id: string): void {
  warnOwners(context, tenantId, {
    subject: `a device with a key was enrolled (${environment})`,
    what: `A device enrolled with a key of its own in the ${environment} environment, so it can register people and ask for their proofs. Its id is ${id}.`,
    advice: 'revoke the device, and ask who created it.',
  });
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
export const completeCeremonyDevice = (w: Write, id: string, now: Date) => store.enrollDevice(w, id, {}, now);

/** Stores how the phone of a ceremony attested. The phone may send this after its device was created. */
export const noteAttestation = (w: Write, id: string, kind: string, now: Date): Promise<void> =>
  store.noteAttestation(w, id, kind, now);

/** Revokes the phone of a registration session that ended without success. */
export const revokePhone = (w: Write, sessionId: string, now: Date): Promise<void> =>
  store.revokePhone(w, sessionId, now);

/** Revokes the pending device of an expired ceremony, so its phone can join a new one before the old one is closed. */
export async function freeFingerprint(w: Write, fingerprint: string, now: Date): Promise<void> {
  const device = await store.freeFingerprint(w, fingerprint, now);
  if (device) w.audit({ action: 'device.revoked', entityType: 'device', entityId: device.id });
}

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

/** How exports read them with what their seals are made of. */
export const sealedDevices = store.sealedDevices;
