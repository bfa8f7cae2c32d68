import { byKey, type Operation } from './plan.js';

export const list: Operation = (scene) => {
  const { space, dice } = scene;
  const kind = dice.pick(['devices', 'users'] as const) as 'devices' | 'users';
  const status = dice.pick([undefined, 'active', 'inactive']);
  const limit = 1 + dice.below(5);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/${kind}?limit=${limit}${status ? `&status=${status}` : ''}`,
    predict() {
      const found = [...space[kind]]
        .filter((one) => status === undefined || one.status === status)
        .sort((left, right) => (left.id < right.id ? 1 : -1));
      const shown = found.slice(0, limit);
      return {
        status: 200,
        expectedBody: {
          [kind]: shown,
          environment: space.environment,
          ...(found.length <= limit && { nextCursor: null }),
        },
        commits: false,
      };
    },
  });
};
