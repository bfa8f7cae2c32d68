import { randomUUID } from 'node:crypto';
import { byConsole, note, type Operation, refusal } from './plan.js';
import { type Key, MINUTE } from './world.js';

export const createKey: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { environment, tenant } = space;
  const expiresAt = dice.once(2) ? world.now() + 10 * MINUTE : null;
  return byConsole(scene, {
    method: 'POST',
    path: '/api/console/keys',
    body: {
      name: 'another',
      environment,
      ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
    },
    mayBeTwice: true,
    predict() {
      const isActive = ({ revoked, expiresAt: end }: Key) => !revoked && (end === null || end > world.now());
      if (tenant.keys.filter(isActive).length >= 10) return refusal(409, 'api_key_limit_reached');
      return {
        status: 201,
        shows: { apiKey: { environment, status: 'active' } },
        commits: true,
        needsAnswer: true,
        apply({ apiKey: { id, key: raw } }) {
          tenant.keys.push({ id, raw, environment, expiresAt, revoked: false });
          note(space, 'api_key.created', id);
        },
      };
    },
  });
};

/** Any but the first of each environment, which the operations go on with. */
export const revokeKey: Operation = (scene) => {
  const { world, space, dice } = scene;
  const others = world.spaces.flatMap((one) => one.keys.slice(1).map((key) => ({ key, one })));
  const found = dice.pick(others);
  const id = found?.key.id ?? randomUUID();
  return byConsole(scene, {
    method: 'DELETE',
    path: `/api/console/keys/${id}`,
    mayBeTwice: true,
    predict() {
      if (found?.one.tenant !== space.tenant) return refusal(404, 'api_key_not_found');
      const { key, one } = found;
      return {
        status: 200,
        shows: { apiKey: { id, status: 'revoked' } },
        commits: !key.revoked,
        ...(!key.revoked && {
          apply() {
            key.revoked = true;
            note(one, 'api_key.revoked', id);
          },
        }),
      };
    },
  });
};
