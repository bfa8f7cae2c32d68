import { randomUUID } from 'node:crypto';
import { byConsole, type Operation, recordAudit, rejection } from './plan.js';
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
    canBeConcurrent: true,
    predict() {
      const isActive = ({ revoked, expiresAt: end }: Key) => !revoked && (end === null || end > world.now());
      if (tenant.keys.filter(isActive).length >= 10) return rejection(409, 'api_key_limit_reached');
      return {
        status: 201,
        expectedBody: { apiKey: { environment, status: 'active' } },
        commits: true,
        needsReply: true,
        apply({ apiKey: { id, key: raw } }) {
          tenant.keys.push({ id, raw, environment, expiresAt, revoked: false });
          recordAudit(space, 'api_key.created', id);
        },
      };
    },
  });
};

/** Any key but the first of each environment, which the operations use. */
export const revokeKey: Operation = (scene) => {
  const { world, space, dice } = scene;
  const others = world.spaces.flatMap((one) => one.keys.slice(1).map((key) => ({ key, one })));
  const found = dice.pick(others);
  const id = found?.key.id ?? randomUUID();
  return byConsole(scene, {
    method: 'DELETE',
    path: `/api/console/keys/${id}`,
    canBeConcurrent: true,
    predict() {
      if (found?.one.tenant !== space.tenant) return rejection(404, 'api_key_not_found');
      const { key, one } = found;
      return {
        status: 200,
        expectedBody: { apiKey: { id, status: 'revoked' } },
        commits: !key.revoked,
        ...(!key.revoked && {
          apply() {
            key.revoked = true;
            recordAudit(one, 'api_key.revoked', id);
          },
        }),
      };
    },
  });
};
