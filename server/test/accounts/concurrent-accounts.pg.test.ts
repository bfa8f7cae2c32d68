import { expect, it } from 'vitest';
import { sharedDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

it('accounts that sign up and create keys and devices concurrently never fail because of each other', async () => {
  const service = await startService({ db: (await sharedDatabase()).db });
  const create = async () => {
    const { token } = await service.signUp({ plan: 'enterprise' });
    const post = (path: string, body: object) => service.call('POST', path, { as: token, body });
    const replies = await Promise.all([
      post('/api/console/keys', { name: 'Second', environment: 'test' }),
      post('/api/console/devices', { name: 'Door' }),
    ]);
    return replies.map(({ status }) => status);
  };
  expect(await Promise.all(Array.from({ length: 8 }, create))).toEqual(Array(8).fill([201, 201]));
  await service.close();
});
