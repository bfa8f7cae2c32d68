import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import { reader, type TenantWrite } from '../../ledger/write.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { onlyVisible } from '../../model/visible.js';
import { consumeCode, followCode, mintCode } from '../codes/codes.js';
import { freeFingerprint, insertCeremonyDevice } from '../devices/devices.js';
import { readBrand } from '../profile/profile.js';
import { phoneActor } from './enrolment.js';
import { REGISTRATION_TOPIC } from './following/context.js';
import type { PairBody } from './registrations.schema.js';
import * as store from './registrations.store.js';
import { linksOf, type Phone } from './session.js';

/** Step 1: a phone joins the session and becomes a device of the tenant. */
export async function pairDevice({ deps, address, writeIn }: Phone, input: Static<typeof PairBody>) {
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const fingerprint = isFingerprint(input.fingerprint) ? input.fingerprint : null;
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    followCode(deps, 'pair', input.pair_code, now, ({ scope, subjectId: id }) =>
      store.findPairing(reader(deps.db, scope), { id, sessionId }, fingerprint, now),
    ),
  );
  if (opened === undefined || fingerprint === null)
    return fail('pair_failed', { because: 'code, session or fingerprint' });
  const { session_id, code } = opened;
  const deviceId = deps.ids();
  const brand = await readBrand(reader(deps.db, code.scope));
  const pair = async (w: TenantWrite) => {
    w.audit({ entityType: 'registration', entityId: session_id, metadata: { deviceId } });
    const phone = { fingerprint, attestationKind: input.attestation_kind };
    // Lock the session before its code and its device, in the same order as when it ends.
    const [moved, consumed, , , minted] = await Promise.all([
      store.moveSession(w, session_id, 'pair', { deviceId }, now),
      consumeCode(w, code.hash, 'pair', now),
      freeFingerprint(w, fingerprint, now),
      insertCeremonyDevice(w, deviceId, phone, now),
      mintCode(w, deps, 'enroll', session_id),
    ]);
    if (!consumed || !moved) fail('pair_failed', { because: 'used concurrently' });
    return { step: 'enroll', ...minted, ...linksOf(deps, 'enroll', session_id, minted.code) };
  };
  try {
    const next = await writeIn(
      code.scope,
      phoneActor(deviceId),
      'registration.device_paired',
      pair,
      'tenant',
    );
    deps.bus.publish(REGISTRATION_TOPIC, session_id);
    const { tenantId: tenant_id, environment } = code.scope;
    return {
      session_id,
      device_id: deviceId,
      tenant_id,
      company_name: onlyVisible(code.companyName),
      accent_color: brand.accentColor,
      logo_url: brand.logoUrl,
      environment,
      next,
    };
  } catch (error) {
    if (violates(error, 'devices_fingerprint_key'))
      fail('pair_failed', { because: 'fingerprint registered concurrently' });
    throw error;
  }
}
