import { afterAll, beforeAll, expect, it } from 'vitest';
import { approvalKey, openApproval } from '../support/approvals.js';
import { registerPerson } from '../support/phone.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('includes the names of who asked and of the approvers if the query asks for them', async () => {
  const account = await service.signUp({ plan: 'enterprise' });
  const key = await approvalKey(service, account);
  const ada = await registerPerson(service, account.key);
  const get = async (path: string) => (await service.call('GET', path, { as: key })).body;
  const { user } = (await service.call('GET', `/v1/users/${ada.userId}`, { as: account.key })).body;
  const { id } = await openApproval(service, key, [ada.userId]);
  const names = {
    requestedBy: { kind: 'api_key', id: expect.any(String), name: expect.any(String) },
    approverNames: [{ userId: ada.userId, userName: user.fullName }],
  };
  expect((await get(`/v1/approvals/${id}?include=names`)).approval).toMatchObject(names);
  expect((await get('/v1/approvals?include=names')).approvals).toEqual([expect.objectContaining(names)]);
  expect((await get('/v1/approvals')).approvals[0]).not.toHaveProperty('approverNames');
  expect((await get(`/v1/approvals/${id}`)).approval).not.toHaveProperty('requestedBy');

  const eraser = await service.createKey(account, 'live', ['users:read', 'users:erase']);
  const erased = await service.call('POST', `/v1/users/${ada.userId}/erase`, {
    as: eraser,
    body: {},
  });
  expect(erased.status, erased.text).toBe(200);
  expect((await get(`/v1/approvals/${id}?include=names`)).approval).toMatchObject({
    action: null,
    requestedBy: null,
    approverNames: [{ userId: ada.userId, userName: '' }],
  });
});
