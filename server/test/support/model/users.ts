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
import type { User } from './world.js';

export const createUser: Operation = (scene) => {
  const { space, dice } = scene;
  const externalId = dice.once(3) ? dice.pick(['u1', 'u2', 'u3']) : undefined;
  const device = externalId === undefined && dice.once(3) ? someId(scene, devicesOf) : undefined;
  const body = {
    fullName: dice.pick(['Ada', 'Grace']) as string,
    ...(externalId && { externalId }),
    ...(device && { primaryDeviceId: device.id }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/users',
    body,
    mayBeTwice: true,
    predict() {
      if (device && !device.own) return refusal(404, 'device_not_found');
      if (externalId && space.users.some((user) => user.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      const fresh = {
        fullName: body.fullName,
        externalId: externalId ?? null,
        primaryDeviceId: device?.id ?? null,
        status: 'active',
      } as const;
      return {
        status: 201,
        shows: { user: fresh },
        commits: true,
        needsAnswer: true,
        apply({ user: { id } }) {
          space.users.push({ id, ...fresh });
          note(space, 'user.created', id);
        },
      };
    },
  };
  const show =
    ({ user: { id } }: Body) =>
    () => ({ user: space.users.find((user) => user.id === id) as User });
  return byKey(scene, maybeIdempotent(scene, plan, show));
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
    mayBeTwice: true,
    predict() {
      if (own === undefined) return refusal(404, 'user_not_found');
      const { externalId } = changes;
      if (externalId && space.users.some((other) => other !== own && other.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      return {
        status: 200,
        shows: { user: { ...own, ...changes } },
        commits: true,
        apply() {
          Object.assign(own, changes);
          if (changes.status === 'inactive') world.endSessions(space, ({ userId }) => userId === id);
          note(space, 'user.updated', id);
        },
      };
    },
  });
};
