import type { Static } from 'typebox';
import { sha256 } from '../../base/crypto/keyring.js';
import { catchError, fail, invalid } from '../../base/errors.js';
import { requireRole } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import {
  type Credentials,
  DEVICE_TOKEN,
  type DevicePrincipal,
  type StaffPrincipal,
} from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { unaudited } from '../../ledger/unaudited.js';
import type { Write } from '../../ledger/write.js';
import { mayUseTest } from '../../model/roles.js';
import { memberOf, memberOfPasskey, memberOfPassword, requireSameLogin } from '../accounts/accounts.js';
import { authenticateDevice } from '../devices/devices.js';
import type { StartBody } from './staff.schema.js';
import * as store from './staff.store.js';

export { STAFF_EXPIRY } from './staff.store.js';

const STAFF_SECONDS = 10 * 60;

const STAFF_TOKEN = /^Bearer +svc_staff_(\S*)$/i;
const DEVICE_SESSION = 'x-device-session';

type StartContext = Pick<BaseContext, 'deps' | 'address' | 'node' | 'writeIn' | 'onClose' | 'header'> &
  Pick<ScopedContext, 'scope'> & { readonly principal: DevicePrincipal };

/** The member who shows who they are, by a passkey or by e-mail and password. */
async function identify(context: StartContext, { credential, email, password }: Static<typeof StartBody>) {
  const hasPassword = email !== undefined && password !== undefined;
  if (credential !== undefined && email === undefined && password === undefined)
    return memberOfPasskey(context, credential);
  if (credential !== undefined || !hasPassword)
    return invalid('body', 'must have a credential, or email and password');
  const row = await memberOfPassword(context, { email, password });
  return { row, use: async () => {} };
}

/** A member begins to act at a desk. What they may do is what reception may, and no more than their role. */
export async function startStaff(context: StartContext, body: Static<typeof StartBody>) {
  const { deps, scope, principal, writeIn } = context;
  const { row, use } = await identify(context, body);
  if (row.id !== scope.tenantId) fail('invalid_credentials', { because: 'member of another account' });
  const member = memberOf(row);
  requireRole({ member }, 'reception');
  if (scope.environment === 'test' && !mayUseTest(member.role))
    fail('role_insufficient', { message: `The role ${member.role} is for the environment live.` });
  const now = deps.clock.now();
  const [id, deviceId] = [deps.ids(), principal.device.id];
  const sessionHash = sha256(deviceTokenOf(context.header('authorization')));
  const actor = { type: 'member', id: member.id, deviceId } as const;
  await writeIn(scope, actor, 'member.staff_started', async (w) => {
    w.audit({ entityType: 'member', entityId: member.id });
    await requireSameLogin(w, row);
    await use(w);
    const of = { id, memberId: member.id, deviceId, sessionHash };
    const times = { now: new Date(now), expiresAt: new Date(now + STAFF_SECONDS * 1000) };
    if (!(await store.insertSession(w, of, times)))
      fail('role_insufficient', { because: 'changed concurrently' });
  });
  const claims = { sub: member.id, tid: scope.tenantId, env: scope.environment, dev: deviceId, sid: id };
  return {
    token: `svc_staff_${deps.tokens.sign('staff', claims, STAFF_SECONDS)}`,
    expiresIn: STAFF_SECONDS,
    idleSeconds: store.IDLE_MS / 1000,
    member: { id: member.id, name: member.name, role: member.role },
  };
}

/** The token of a device's session, as it was signed. */
const deviceTokenOf = (authorization: string | undefined): string =>
  DEVICE_TOKEN.exec(authorization ?? '')?.[1] ?? '';

/** Ends it, when the member says so. */
export async function endStaff({
  write,
  principal,
}: Pick<ScopedContext, 'write'> & { readonly principal: StaffPrincipal }): Promise<{ ended: true }> {
  await write('member.staff_ended', async (w) => {
    w.audit({ entityType: 'member', entityId: principal.member.id });
    // Another member may have begun at the desk since this session was read.
    if ((await store.endSession(w, principal.desk.id, principal.sessionId)) === undefined) reject('ended');
  });
  return { ended: true };
}

/** Somebody else begins at the desk, so the member who acted there has left. */
export async function endStaffAt(w: Write, deviceId: string): Promise<void> {
  const memberId = await store.endSession(w, deviceId);
  if (memberId !== undefined)
    w.audit({
      action: 'member.staff_ended',
      entityType: 'member',
      entityId: memberId,
      metadata: { by: 'desk', deviceId },
    });
}

const reject = (because: string): never => fail('staff_session_invalid', { because });

/**
 * A member at a desk: the token of the member and, in another header, that of the device's session in which it began. Whatever is wrong with
 * either is the same 401.
 */
export async function authenticateStaff(
  deps: Pick<Deps, 'db' | 'tokens' | 'clock'>,
  credentials: Credentials,
): Promise<StaffPrincipal> {
  const { header } = credentials;
  const [authorization, session] = [header('authorization'), header(DEVICE_SESSION)];
  const token = typeof authorization === 'string' ? STAFF_TOKEN.exec(authorization)?.[1] : undefined;
  const signed = token === undefined ? undefined : await deps.tokens.verify('staff', token);
  if (signed === undefined || typeof session !== 'string') return reject('form, signature or time');
  const ofDevice = (name: string) => (name === 'authorization' ? `Bearer ${session}` : header(name));
  const device = await catchError(
    'device_session_invalid',
    authenticateDevice(deps, { ...credentials, header: ofDevice }),
  );
  if (device === undefined) return reject('session of the device');
  const claims: store.StaffClaims = {
    id: signed.sid as string,
    memberId: signed.sub as string,
    deviceId: signed.dev as string,
    tenantId: signed.tid as string,
    environment: signed.env as store.StaffClaims['environment'],
    sessionHash: sha256(deviceTokenOf(`Bearer ${session}`)),
  };
  const isHere =
    device.device.id === claims.deviceId &&
    device.tenant.id === claims.tenantId &&
    device.environment === claims.environment;
  if (!isHere) return reject('another device');
  const member = await store.useSession(
    unaudited(deps.db, 'staff at desks'),
    claims,
    new Date(deps.clock.now()),
  );
  if (member === undefined) return reject('ended');
  return {
    sessionId: claims.id,
    desk: device.device,
    member,
    environment: device.environment,
    tenant: device.tenant,
    revalidate: (now) => store.stillAccepted(claims, device.revalidate(now), new Date(now)),
  };
}
