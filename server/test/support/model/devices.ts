import { byPhone, learnCode, someCode, someFingerprint } from './codes.js';
import {
  byConsole,
  byKey,
  create,
  devicesOf,
  type Operation,
  recordAudit,
  rejection,
  someId,
} from './plan.js';
import type { Device } from './world.js';

const NAMES = ['gate', 'door', 'lift'];

export const createDevice: Operation = (scene) => {
  const { space, dice } = scene;
  const externalId = dice.once(3) ? dice.pick(['d1', 'd2', 'd3']) : undefined;
  const name = dice.pick(NAMES) as string;
  const isTaken = () => space.devices.some((device) => device.externalId === externalId);
  return create<Omit<Device, 'id'>>(scene, {
    kind: 'device',
    path: '/v1/devices',
    body: { name, ...(externalId && { externalId }) },
    records: space.devices,
    rejected: () => (externalId && isTaken() ? rejection(409, 'external_id_conflict') : undefined),
    fresh: () => ({
      name,
      externalId: externalId ?? null,
      status: 'active',
      enrollment_state: 'enrolled',
      fingerprint: null,
    }),
  });
};

export const patchDevice: Operation = (scene) => {
  const { space, dice } = scene;
  const { id, own } = someId(scene, devicesOf);
  const changes: Partial<Pick<Device, 'name' | 'externalId' | 'status'>> = [
    { status: 'active' as const },
    { status: 'inactive' as const },
    { name: 'renamed' },
    { externalId: dice.pick(['d1', 'd2', 'd3']) as string },
    { externalId: null },
    { status: 'retired' as const },
  ][dice.below(6)] as object;
  return byKey(scene, {
    method: 'PATCH',
    path: `/v1/devices/${id}`,
    body: changes,
    canBeConcurrent: true,
    predict() {
      if (own === undefined) return rejection(404, 'device_not_found');
      const { status, externalId } = changes;
      const isLegal =
        status === undefined ||
        status === own.status ||
        (own.status !== 'retired' && (own.enrollment_state !== 'pending' || status === 'retired'));
      if (!isLegal) return rejection(409, 'invalid_transition');
      if (externalId && space.devices.some((other) => other !== own && other.externalId === externalId))
        return rejection(409, 'external_id_conflict');
      return {
        status: 200,
        expectedBody: { device: { ...own, ...changes } },
        commits: true,
        apply() {
          Object.assign(own, changes);
          recordAudit(space, 'device.updated', id);
        },
      };
    },
  });
};

export const createPending: Operation = (scene) => {
  const { world, space } = scene;
  return byConsole(scene, {
    method: 'POST',
    path: '/api/console/devices',
    body: { name: 'kiosk' },
    canBeConcurrent: true,
    predict() {
      const fresh = {
        name: 'kiosk',
        externalId: null,
        status: 'inactive',
        enrollment_state: 'pending',
        fingerprint: null,
      } as const;
      return {
        status: 201,
        expectedBody: { device: fresh },
        commits: true,
        needsReply: true,
        apply({ device: { id }, enrollment }) {
          space.devices.push({ id, ...fresh });
          learnCode(world, space, 'device', id, enrollment.code);
          recordAudit(space, 'device.created', id);
        },
      };
    },
  });
};

export const regenerate: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someId(scene, devicesOf);
  return byConsole(scene, {
    method: 'POST',
    path: `/api/console/devices/${id}/regenerate-code`,
    predict() {
      if (own === undefined) return rejection(404, 'device_not_found');
      const isPhone = world.registrations.some(({ deviceId }) => deviceId === id);
      if (own.enrollment_state !== 'pending' || own.status === 'retired' || isPhone)
        return rejection(409, 'device_not_pending');
      return {
        status: 201,
        expectedBody: { device: own },
        commits: true,
        needsReply: true,
        apply({ enrollment }) {
          learnCode(world, space, 'device', id, enrollment.code);
          recordAudit(space, 'device.code_regenerated', id);
        },
      };
    },
  });
};

export const revokeDevice: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someId(scene, devicesOf);
  return byConsole(scene, {
    method: 'DELETE',
    path: `/api/console/devices/${id}`,
    canBeConcurrent: true,
    predict() {
      if (own === undefined) return rejection(404, 'device_not_found');
      if (own.enrollment_state === 'revoked')
        return { status: 200, expectedBody: { device: own }, commits: false };
      return {
        status: 200,
        expectedBody: { device: { id, enrollment_state: 'revoked', status: 'retired' } },
        commits: true,
        apply() {
          Object.assign(own, { enrollment_state: 'revoked', status: 'retired' });
          world.voidCodes(id);
          recordAudit(space, 'device.revoked', id);
          for (const identity of space.identities) {
            if (identity.deviceId !== id || identity.revoked) continue;
            world.revoke(space, identity);
            recordAudit(space, 'identity.revoked');
          }
        },
      };
    },
  });
};

export const enrollDevice: Operation = (scene) => {
  const { world } = scene;
  const { text, code } = someCode(scene, 'device');
  const fingerprint = someFingerprint(scene);
  return byPhone('/v1/devices/enroll', { enrollment_code: text, fingerprint }, () => {
    const rejected = rejection(404, 'enrollment_failed');
    if (!world.isLive(code, 'device')) return rejected;
    const { space, subject } = code;
    const device = space.devices.find(({ id }) => id === subject) as Device;
    const isPending = device.enrollment_state === 'pending' && device.status !== 'retired';
    if (!isPending || world.isFingerprintTaken(space, fingerprint, false)) return rejected;
    const enrolled = { enrollment_state: 'enrolled', status: 'active', fingerprint } as const;
    return {
      status: 201,
      expectedBody: { device: { ...device, ...enrolled } },
      commits: true,
      apply() {
        Object.assign(device, enrolled);
        code.dead = true;
        recordAudit(space, 'device.enrolled', subject);
      },
    };
  });
};
