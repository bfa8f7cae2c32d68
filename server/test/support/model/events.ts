import {
  type Body,
  byKey,
  devicesOf,
  maybeIdempotent,
  note,
  type Operation,
  type Plan,
  refusal,
  someId,
  usersOf,
} from './plan.js';
import type { Verification } from './world.js';

export const createVerification: Operation = (scene) => {
  const { space, dice } = scene;
  const user = dice.once(2) ? someId(scene, usersOf) : undefined;
  const device = user === undefined && dice.once(2) ? someId(scene, devicesOf) : undefined;
  const body = {
    method: 'manual',
    result: dice.pick(['pass', 'fail', 'challenge']) as string,
    ...(user && { userId: user.id }),
    ...(device && { deviceId: device.id }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/verifications',
    body,
    mayBeTwice: true,
    predict() {
      if (user && !user.own) return refusal(404, 'user_not_found');
      if (device && !device.own) return refusal(404, 'device_not_found');
      const { method, result } = body;
      const fresh = { method, result, userId: user?.id ?? null, deviceId: device?.id ?? null };
      return {
        status: 201,
        shows: { verification: fresh },
        commits: true,
        needsAnswer: true,
        apply({ verification: { id } }) {
          space.verifications.push({ id, ...fresh });
          note(space, 'verification.created', id);
        },
      };
    },
  };
  const show =
    ({ verification: { id } }: Body) =>
    () => ({
      verification: space.verifications.find((one) => one.id === id) as Verification,
    });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

export const createAttendance: Operation = (scene) => {
  const { space, dice } = scene;
  const user = someId(scene, usersOf);
  const verification = dice.once(2) ? someId(scene, (one) => one.verifications) : undefined;
  const result = dice.once(4) ? dice.pick(['accepted', 'rejected']) : undefined;
  const body = {
    userId: user.id,
    type: dice.pick(['check_in', 'check_out']) as string,
    ...(verification && { verificationId: verification.id }),
    ...(result && { result }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/attendance',
    body,
    mayBeTwice: true,
    predict() {
      if (!user.own) return refusal(404, 'user_not_found');
      if (verification && !verification.own) return refusal(404, 'verification_not_found');
      const seen = verification?.own;
      if (seen && seen.userId !== null && seen.userId !== user.id) return refusal(400, 'invalid_request');
      const decided = seen === undefined || seen.result === 'pass' ? 'accepted' : 'rejected';
      const fresh = {
        userId: user.id,
        type: body.type,
        verificationId: verification?.id ?? null,
        result: result ?? decided,
      };
      return {
        status: 201,
        shows: { attendance: fresh },
        commits: true,
        needsAnswer: true,
        apply({ attendance: { id } }) {
          space.attendance.push({ id, ...fresh });
          note(space, 'attendance.created', id);
        },
      };
    },
  };
  const show =
    ({ attendance }: Body) =>
    () => ({ attendance });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};
