import { byKey, create, devicesOf, type Operation, recordAudit, rejection, someId, usersOf } from './plan.js';
import type { User } from './world.js';

export const createUser: Operation = (scene) => {
  const { space, dice } = scene;
  const externalId = dice.once(3) ? dice.pick(['u1', 'u2', 'u3']) : undefined;
  const device = externalId === undefined && dice.once(3) ? someId(scene, devicesOf) : undefined;
  const fullName = dice.pick(['Ada', 'Grace']) as string;
  return create<Omit<User, 'id'>>(scene, {
    kind: 'user',
    path: '/v1/users',
    body: { fullName, ...(externalId && { externalId }), ...(device && { primaryDeviceId: device.id }) },
    records: space.users,
    rejected() {
      if (device && !device.own) return rejection(404, 'device_not_found');
      const isTaken = externalId && space.users.some((user) => user.externalId === externalId);
      return isTaken ? rejection(409, 'external_id_conflict') : undefined;
    },
    fresh: () => ({
      fullName,
      externalId: externalId ?? null,
      primaryDeviceId: device?.id ?? null,
      status: 'active',
    }),
  });
};

export const patchUser: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { id, own } = someId(scene, usersOf);
  const changes: Partial<Pick<User, 'fullName' | 'externalId' | 'status'>> = [
    { status: 'active' as const },
    { fullName: 'Renamed' },
    { externalId: dice.pick(['u1', 'u2', 'u3']) as string },
    { externalId: null },
    { status: 'inactive' as const },
  ][dice.below(5)] as object;
  return byKey(scene, {
    method: 'PATCH',
    path: `/v1/users/${id}`,
    body: changes,
    canBeConcurrent: true,
    predict() {
      if (own === undefined) return rejection(404, 'user_not_found');
      const { externalId } = changes;
      if (externalId && space.users.some((other) => other !== own && other.externalId === externalId))
        return rejection(409, 'external_id_conflict');
      return {
        status: 200,
        expectedBody: { user: { ...own, ...changes } },
        commits: true,
        apply() {
          Object.assign(own, changes);
          if (changes.status === 'inactive') world.endSessions(space, ({ userId }) => userId === id);
          recordAudit(space, 'user.updated', id);
        },
      };
    },
  });
};
