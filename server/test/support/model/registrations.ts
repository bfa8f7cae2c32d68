import { randomUUID } from 'node:crypto';
import { completeBody } from '../ceremony.js';
import { byPhone, learnCode, someCode, someFingerprint } from './codes.js';
import { byKey, type Operation, recordAudit, rejection, type Scene } from './plan.js';
import { type Code, type Device, MINUTE, type Prepared, type Registration, type World } from './world.js';

export const openRegistration: Operation = (scene) => {
  const { world, space, dice } = scene;
  const externalId = dice.once(3) ? (dice.pick(['u1', 'u2', 'u3']) as string) : null;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/registrations',
    body: externalId === null ? {} : { profile: { externalId } },
    canBeConcurrent: true,
    predict() {
      if (externalId !== null && space.users.some((user) => user.externalId === externalId))
        return rejection(409, 'external_id_conflict');
      return {
        status: 201,
        expectedBody: { session: { state: 'awaiting_device', device_id: null, did: null, user_id: null } },
        commits: true,
        needsReply: true,
        apply({ session: { id }, pair }) {
          world.registrations.push({
            id,
            space,
            expiresAt: world.now() + 30 * MINUTE,
            externalId,
            state: 'awaiting_device',
            deviceId: null,
            phone: null,
            challengeNonce: null,
            userId: null,
            failures: 0,
          });
          learnCode(world, space, 'pair', id, pair.code);
          recordAudit(space, 'registration.started', id);
        },
      };
    },
  });
};

/** The ceremony that a step's code is valid for: in the right state, not expired, and with the sent session_id, if any. */
function opened(
  world: World,
  code: Code | undefined,
  purpose: Code['purpose'],
  state: string,
  named: string | undefined,
): Registration | undefined {
  if (!world.isLive(code, purpose)) return undefined;
  const registration = world.registrations.find(({ id }) => id === code.subject);
  if (registration === undefined || world.stateOf(registration) !== state) return undefined;
  return named === undefined || named === registration.id ? registration : undefined;
}

/** The optional session_id: usually absent, otherwise the code's own or another. */
function someSession({ world, dice }: Scene, code: Code | undefined): { session_id?: string } {
  if (!dice.once(3)) return {};
  const other = dice.once(2) ? dice.pick(world.registrations)?.id : undefined;
  const id = other ?? code?.subject;
  return id === undefined ? {} : { session_id: id };
}

export const pairDevice: Operation = (scene) => {
  const { world } = scene;
  const { text, code } = someCode(scene, 'pair');
  const fingerprint = someFingerprint(scene);
  const named = someSession(scene, code);
  return byPhone('/v1/registrations/pair-device', { pair_code: text, fingerprint, ...named }, () => {
    const registration = opened(world, code, 'pair', 'awaiting_device', named.session_id);
    if (registration === undefined || code === undefined) return rejection(404, 'pair_failed');
    const { space, id } = registration;
    if (world.isFingerprintTaken(space, fingerprint, true)) return rejection(404, 'pair_failed');
    return {
      status: 201,
      expectedBody: { session_id: id, tenant_id: space.tenant.id, environment: space.environment },
      commits: true,
      needsReply: true,
      apply({ device_id, next }) {
        for (const device of space.devices)
          if (
            device.fingerprint === fingerprint &&
            device.enrollment_state === 'pending' &&
            world.isOfExpiredCeremony(device)
          )
            Object.assign(device, { status: 'retired', enrollment_state: 'revoked' });
        space.devices.push({
          id: device_id,
          name: 'Phone',
          externalId: null,
          status: 'inactive',
          enrollment_state: 'pending',
          fingerprint,
        });
        code.dead = true;
        Object.assign(registration, { state: 'awaiting_commitment', deviceId: device_id });
        learnCode(world, space, 'enroll', id, next.code);
        recordAudit(space, 'registration.device_paired', id);
      },
    };
  });
};

export const submitCommitment: Operation = (scene) => {
  const { world, dice } = scene;
  const { text, code } = someCode(scene, 'enroll');
  const { phone } = dice.pick(world.people) as Prepared;
  const named = someSession(scene, code);
  const { did, commitment } = phone;
  return byPhone(
    '/v1/registrations/submit-commitment',
    { enroll_code: text, did, commitment, ...named },
    () => {
      const registration = opened(world, code, 'enroll', 'awaiting_commitment', named.session_id);
      if (registration === undefined || code === undefined) return rejection(404, 'enroll_failed');
      const { space, id } = registration;
      return {
        status: 201,
        expectedBody: { session_id: id },
        commits: true,
        needsReply: true,
        apply({ next }) {
          code.dead = true;
          const challengeNonce = next.challenge_nonce;
          Object.assign(registration, { state: 'awaiting_verification', phone, challengeNonce });
          learnCode(world, space, 'verify', id, next.code);
          recordAudit(space, 'registration.commitment_submitted', id);
        },
      };
    },
  );
};

export const complete: Operation = async (scene) => {
  const { world, dice } = scene;
  const { text, code } = someCode(scene, 'verify');
  const target = opened(world, code, 'verify', 'awaiting_verification', undefined);
  const isProved = target !== undefined && !dice.once(3);
  const named = someSession(scene, code);
  const { proof: bare } = dice.pick(world.people) as Prepared;
  const body =
    isProved && target
      ? await completeBody({
          id: target.id,
          tenantId: target.space.tenant.id,
          environment: target.space.environment,
          identity: target.phone as Prepared['phone'],
          fingerprint: '',
          pairCode: '',
          verifyCode: text,
          challengeNonce: target.challengeNonce as string,
        })
      : {
          verify_code: text,
          challenge_nonce: target?.challengeNonce ?? '00',
          proof: bare.proof,
          public_signals: bare.publicSignals,
        };
  return byPhone('/v1/registrations/complete', { ...body, ...named }, () => {
    const registration = opened(world, code, 'verify', 'awaiting_verification', named.session_id);
    if (registration === undefined || code === undefined) return rejection(404, 'verify_failed');
    const { space, id, externalId } = registration;
    const phone = registration.phone as Prepared['phone'];
    const device = space.devices.find((one) => one.id === registration.deviceId) as Device;
    const isFree =
      !space.identities.some(({ did, commitment }) => did === phone.did || commitment === phone.commitment) &&
      !space.users.some((user) => externalId !== null && user.externalId === externalId);
    const isWaiting = device.enrollment_state === 'pending' && device.status !== 'retired';
    if (!isProved || !isFree || !isWaiting) {
      const isLast = registration.failures === 4;
      return {
        ...rejection(404, 'verify_failed'),
        commits: isLast,
        apply() {
          registration.failures += 1;
          if (!isLast) return;
          world.closeRegistration(registration, 'abandoned');
          recordAudit(space, 'registration.abandoned', id, 'failure');
        },
      };
    }
    const fullName = externalId ?? 'Unnamed';
    const user = { fullName, externalId, primaryDeviceId: device.id, status: 'active' } as const;
    const enrolled = { enrollment_state: 'enrolled', status: 'active' } as const;
    return {
      status: 201,
      expectedBody: { session_id: id, tenant_user: user, device: { ...device, ...enrolled } },
      commits: true,
      needsReply: true,
      apply({ tenant_user }) {
        code.dead = true;
        Object.assign(device, enrolled);
        Object.assign(registration, { state: 'completed', userId: tenant_user.id });
        space.users.push({ id: tenant_user.id, ...user });
        const { did, commitment } = phone;
        const created = { did, commitment, userId: tenant_user.id, deviceId: device.id };
        space.identities.push({ ...created, revoked: false, bound: false });
        recordAudit(space, 'device.enrolled', device.id);
        recordAudit(space, 'registration.completed', id);
      },
    };
  });
};

function someRegistration({ world, space, dice }: Scene): { id: string; own: Registration | undefined } {
  const found = dice.pick(world.registrations);
  return { id: found?.id ?? randomUUID(), own: found?.space === space ? found : undefined };
}

const showRegistration = (world: World, registration: Registration) => {
  const { id, deviceId, userId, phone } = registration;
  return {
    session: {
      id,
      state: world.stateOf(registration),
      device_id: deviceId,
      user_id: userId,
      did: phone?.did ?? null,
    },
  };
};

export const pollRegistration: Operation = (scene) => {
  const { world } = scene;
  const { id, own } = someRegistration(scene);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/registrations/${id}`,
    predict: () =>
      own === undefined
        ? rejection(404, 'session_not_found')
        : { status: 200, expectedBody: showRegistration(world, own), commits: false },
  });
};

export const abandon: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someRegistration(scene);
  return byKey(scene, {
    method: 'DELETE',
    path: `/v1/registrations/${id}`,
    canBeConcurrent: true,
    predict() {
      if (own === undefined) return rejection(404, 'session_not_found');
      if (!world.stateOf(own).startsWith('awaiting_'))
        return { status: 200, expectedBody: showRegistration(world, own), commits: false };
      return {
        status: 200,
        expectedBody: { session: { id, state: 'abandoned' } },
        commits: true,
        apply() {
          world.closeRegistration(own, 'abandoned');
          recordAudit(space, 'registration.abandoned', id);
        },
      };
    },
  });
};
