import type { Static } from 'typebox';
import { NIL_UUID } from '../../base/crypto/random.js';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { type Credentials, DEVICE_TOKEN, type DevicePrincipal } from '../../http/principal.js';
import type { BaseContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader } from '../../ledger/write.js';
import { toTenant } from '../accounts/accounts.js';
import { judgeSignature } from './device-signatures.js';
import * as store from './device-signatures.store.js';
import type { SessionBody } from './devices.schema.js';
import { noteSeen } from './devices.store.js';

const SESSION_SECONDS = 12 * 60 * 60;

/** Stands in for the account of an unknown device, so that the same work is done. No row has this id. */
const NOBODY: Scope = { tenantId: NIL_UUID, environment: 'live' };

/** A device opens its session with a signature over no body. */
export async function openDeviceSession(
  { deps, writeIn }: Pick<BaseContext, 'deps' | 'writeIn'>,
  { deviceId: id, ...signed }: Static<typeof SessionBody>,
) {
  const scope = (await store.findScope(deps.db, id)) ?? NOBODY;
  const { tenantId, environment } = scope;
  const { thumbprint, spend } = await judgeSignature(deps, reader(deps.db, scope), { id, ...signed });
  return writeIn(scope, { type: 'device', id }, 'device.session_opened', async (w) => {
    w.audit({ entityType: 'device', entityId: id });
    await spend(w);
    await noteSeen(w, id, new Date(deps.clock.now()));
    const claims = { sub: id, tid: tenantId, env: environment, key: thumbprint };
    const token = `svc_device_${deps.tokens.sign('device', claims, SESSION_SECONDS)}`;
    return { token, expiresIn: SESSION_SECONDS, tenantId, environment };
  });
}

async function readClaims(
  { tokens }: Pick<Deps, 'tokens'>,
  { header }: Pick<Credentials, 'header'>,
): Promise<store.SessionClaims> {
  const authorization = header('authorization');
  const token = typeof authorization === 'string' ? DEVICE_TOKEN.exec(authorization)?.[1] : undefined;
  const claims = token === undefined ? undefined : await tokens.verify('device', token);
  if (claims === undefined) fail('device_session_invalid', { because: 'form, signature, audience or time' });
  return {
    tenantId: claims.tid as string,
    environment: claims.env as Scope['environment'],
    deviceId: claims.sub as string,
    thumbprint: claims.key as string,
    expiresAt: new Date((claims.exp as number) * 1000),
  };
}

/** Reads the device for every request, so that revoking it ends its sessions on every node. */
export async function authenticateDevice(
  deps: Pick<Deps, 'db' | 'tokens'>,
  credentials: Credentials,
): Promise<DevicePrincipal> {
  const claims = await readClaims(deps, credentials);
  const { deviceId, tenantId, environment } = claims;
  const row = await store.findSession(deps.db.near?.(tenantId) ?? deps.db, claims);
  if (row === undefined) fail('device_session_invalid', { because: 'the device ended' });
  return {
    device: { id: deviceId },
    environment,
    tenant: toTenant(row),
    revalidate: (now) => store.stillAccepted(claims, new Date(now)),
  };
}
