import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../support/members.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const post = async (path: string, body: object) =>
  (await service.call('POST', path, { as: account.key, body })).body;
const personNamed = async (fullName: string): Promise<string> =>
  (await post('/v1/users', { fullName })).user.id;
const verify = (userId: string | undefined, result: string, more: object = {}) =>
  post('/v1/verifications', { method: 'face', result, ...(userId && { userId }), ...more });
const openNow = async () => {
  const { token } = await addMember(service, account, 'reception');
  const { status, body } = await service.call('GET', '/api/console/open-now', { session: token });
  expect(status).toBe(200);
  return body;
};

describe('who could not sign in [reception/open-now]', () => {
  it('are people whose newest verification of the last hour failed, each once and the newest first [GET /api/console/open-now]', async () => {
    const [ada, bo, cy, di] = await Promise.all(['Ada', 'Bo', 'Cy', 'Di'].map(personNamed));
    await verify(di, 'fail');
    service.clock.advance(61 * 60_000);
    await verify(ada, 'fail', { reason: 'first' });
    await verify(bo, 'fail');
    await verify(cy, 'pass');
    service.clock.advance(1_000);
    await verify(bo, 'pass', { method: 'manual' });
    await verify(cy, 'fail', { reason: 'no match' });
    await verify(ada, 'fail', { reason: 'wrong_number' });
    await verify(undefined, 'fail');
    const { refused, lockedOut, environment } = await openNow();
    expect([environment, lockedOut]).toEqual(['live', []]);
    expect(refused.map(({ userName, reason }: Record<string, string>) => [userName, reason])).toEqual([
      ['Ada', 'wrong_number'],
      ['Cy', 'no match'],
    ]);
  });
});
