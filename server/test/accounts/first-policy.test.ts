import { afterAll, beforeAll, expect, it } from 'vitest';
import { setPolicy } from '../support/pairing.js';
import { freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

let count = 0;
async function signUp(more: object = {}) {
  count += 1;
  const body = {
    ...{ email: `first${count}@example.com`, password: 'correct horse 7 battery', companyName: 'Northwind' },
    ...more,
  };
  return service.call('POST', '/api/console/signup', { body, address: freshAddress() });
}
const policyOf = async (token: string) =>
  (await service.call('GET', '/api/console/security-policy', { as: token })).body.security_policy;

it('the recommended policy asks for the number, turns deprecated endpoints off and protects identities [console/first-policy] [POST /api/console/signup]', async () => {
  const { status, body } = await signUp({ preset: 'recommended' });
  expect(status).toBe(201);
  expect(await policyOf(body.token)).toEqual({
    protect_identities: true,
    pairing_match: 'type',
    deprecated_verify: 'off',
  });
  const { audit } = (await service.call('GET', '/api/console/audit', { as: body.token })).body;
  expect(audit.at(-1)).toMatchObject({ action: 'tenant.created', metadata: { preset: 'recommended' } });
  const opened = await service.call('POST', '/v1/proof-pairing/sessions', {
    as: body.apiKey.key,
    body: { match: 'off' },
  });
  expect(opened.body.session.matchCode).toMatch(/^[0-9]{2}$/);
  // The owner may loosen it.
  const account = { token: body.token } as Parameters<typeof setPolicy>[1];
  expect((await setPolicy(service, account, {})).status).toBe(200);
});

it('an account that asks for none stays permissive, and any other preset is an error [console/first-policy]', async () => {
  const { body } = await signUp();
  expect(await policyOf(body.token)).toEqual({ protect_identities: true });
  const opened = await service.call('POST', '/v1/proof-pairing/sessions', { as: body.apiKey.key });
  expect(opened.body.session).not.toHaveProperty('matchCode');
  for (const preset of ['strict', '', null, true])
    expect((await signUp({ preset })).body.error).toBe('invalid_request');
});
