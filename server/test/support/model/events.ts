import { create, devicesOf, type Operation, rejection, someId, usersOf } from './plan.js';
import type { Attendance, Verification } from './world.js';

export const createVerification: Operation = (scene) => {
  const { space, dice } = scene;
  const user = dice.once(2) ? someId(scene, usersOf) : undefined;
  const device = user === undefined && dice.once(2) ? someId(scene, devicesOf) : undefined;
  const said = { method: 'manual', result: dice.pick(['pass', 'fail', 'challenge']) as string };
  return create<Omit<Verification, 'id'>>(scene, {
    kind: 'verification',
    path: '/v1/verifications',
    body: { ...said, ...(user && { userId: user.id }), ...(device && { deviceId: device.id }) },
    records: space.verifications,
    rejected() {
      if (user && !user.own) return rejection(404, 'user_not_found');
      return device && !device.own ? rejection(404, 'device_not_found') : undefined;
    },
    fresh: () => ({ ...said, userId: user?.id ?? null, deviceId: device?.id ?? null }),
  });
};

export const createAttendance: Operation = (scene) => {
  const { space, dice } = scene;
  const user = someId(scene, usersOf);
  const verification = dice.once(2) ? someId(scene, (one) => one.verifications) : undefined;
  const result = dice.once(4) ? dice.pick(['accepted', 'rejected']) : undefined;
  const said = { userId: user.id, type: dice.pick(['check_in', 'check_out']) as string };
  const seen = verification?.own;
  return create<Omit<Attendance, 'id'>>(scene, {
    kind: 'attendance',
    path: '/v1/attendance',
    body: { ...said, ...(verification && { verificationId: verification.id }), ...(result && { result }) },
    records: space.attendance,
    rejected() {
      if (!user.own) return rejection(404, 'user_not_found');
      if (verification && !seen) return rejection(404, 'verification_not_found');
      const isOfAnother = seen && seen.userId !== null && seen.userId !== user.id;
      return isOfAnother ? rejection(400, 'invalid_request') : undefined;
    },
    fresh: () => ({
      ...said,
      verificationId: verification?.id ?? null,
      result: result ?? (seen === undefined || seen.result === 'pass' ? 'accepted' : 'rejected'),
    }),
  });
};
