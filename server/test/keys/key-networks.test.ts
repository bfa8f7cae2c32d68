import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from '../support/pairing.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(16 * 60_000);
  account = await service.signUp({ plan: 'enterprise' });
});

const HOME = '203.0.113.7';
const AWAY = '198.51.100.9';

const change = (body: object, { id = account.keyId, address = HOME, of = service } = {}) =>
  of.call('PATCH', `/api/console/keys/${id}`, { as: account.token, body, address });
const limit = async (...allowedCidrs: string[]) => {
  const reply = await change({ allowedCidrs });
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  return reply.body;
};
const use = async (address: string, key = account.key) => {
  const { status, body } = await service.call('GET', '/v1/devices?limit=1', { as: key, address });
  return `${status} ${body.error ?? ''}`.trim();
};
const outcome = ({ status, body }: Awaited<ReturnType<typeof change>>) =>
  `${status} ${body.error ?? ''}`.trim();
const read = async () =>
  (await service.call('GET', '/api/console/keys', { as: account.token })).body.keys.find(
    ({ id }: { id: string }) => id === account.keyId,
  );
const NOT_ALLOWED = '403 address_not_allowed';

describe('changing an API key [PATCH /api/console/keys/:keyId] [keys/networks]', () => {
  it('renames it, or changes its networks, and leaves the rest', async () => {
    const { body } = await change({ name: '  Gate ', allowedCidrs: ['203.0.113.9/24'] });
    expect(body.apiKey).toMatchObject({ name: 'Gate', allowedCidrs: ['203.0.113.0/24'] });
    expect((await change({ name: 'Door' })).body.apiKey).toMatchObject({
      name: 'Door',
      allowedCidrs: ['203.0.113.0/24'],
    });
    expect((await limit()).apiKey).toMatchObject({ name: 'Door', allowedCidrs: [] });
    expect(await read()).toMatchObject({ name: 'Door', allowedCidrs: [] });
  });

  it('writes api_key.updated, with what changed and no content', async () => {
    await change({ name: 'Gate' });
    await limit(HOME, AWAY);
    const { body } = await service.call('GET', '/v1/audit?limit=2', { as: account.key, address: HOME });
    expect(body.audit).toMatchObject([
      { action: 'api_key.updated', entityId: account.keyId, metadata: { allowedNetworks: 2 } },
      { action: 'api_key.updated', entityId: account.keyId, metadata: { renamed: true } },
    ]);
  });

  it('normalises networks and drops duplicates', async () => {
    const { apiKey } = await limit(
      '203.0.113.9/24',
      '::ffff:203.0.113.0/120',
      '203.0.113.1/24',
      '2001:DB8::1',
      HOME,
    );
    expect(apiKey.allowedCidrs).toEqual(['203.0.113.0/24', '2001:db8::1/128', '203.0.113.7/32']);
  });

  it('rejects bad input', async () => {
    const networks = Array.from({ length: 21 }, (_, at) => `203.0.113.${at}`);
    for (const body of [
      {},
      { name: '' },
      { name: ' ' },
      { name: null },
      { name: 'x'.repeat(101) },
      { allowedCidrs: null },
      { allowedCidrs: HOME },
      { allowedCidrs: [''] },
      { allowedCidrs: [null] },
      { allowedCidrs: [HOME, '10/8'] },
      { allowedCidrs: ['203.0.113.0/33'] },
      { allowedCidrs: networks },
      { name: 'Gate', scopes: ['audit:read'] },
      { expiresAt: null },
    ])
      expect([body, outcome(await change(body))]).toEqual([body, '400 invalid_request']);
    expect((await change({ allowedCidrs: [HOME, '10/8'] })).body.details[0].path).toBe(
      'body.allowedCidrs[1]',
    );
    expect((await limit(...networks.slice(1))).apiKey.allowedCidrs).toHaveLength(20);
  });

  it('finds only keys of the account that have not ended', async () => {
    const stranger = await service.signUp();
    for (const id of [stranger.keyId, crypto.randomUUID(), 'x'])
      expect(outcome(await change({ name: 'Mine' }, { id }))).toBe('404 api_key_not_found');
    await service.call('DELETE', `/api/console/keys/${account.keyId}`, { as: account.token });
    expect(outcome(await change({ name: 'Gate' }))).toBe('409 api_key_not_active');
    await service.setStatus(account, 'suspended');
    expect(outcome(await change({ name: 'Gate' }))).toBe('403 tenant_inactive');
  });
});

describe('a key that is limited to networks [keys/networks]', () => {
  it('works only from there, and immediately', async () => {
    await limit('203.0.113.0/24', '2001:db8:1:2::1/128');
    expect(await use(HOME)).toBe('200');
    expect(await use('::ffff:203.0.113.200')).toBe('200');
    expect(await use(AWAY)).toBe(NOT_ALLOWED);
    // The whole address counts, not the /64 of other limits.
    expect(await use('2001:db8:1:2::1')).toBe('200');
    expect(await use('2001:db8:1:2::2')).toBe(NOT_ALLOWED);
    await limit();
    expect(await use(AWAY)).toBe('200');
  });

  it('is judged after the key is found and before everything else, and the message names the address', async () => {
    await limit(HOME);
    expect(await use(AWAY, `svc_live_${'0'.repeat(48)}`)).toBe('401 invalid_api_key');
    const reply = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { nonsense: 1 },
      address: AWAY,
    });
    expect(outcome(reply)).toBe(NOT_ALLOWED);
    expect(reply.body.message).toContain(AWAY);
    expect(reply.headers).not.toHaveProperty('x-svc-tenant');
    await service.setStatus(account, 'suspended');
    expect(await use(AWAY)).toBe(NOT_ALLOWED);
    expect(await use(HOME)).toBe('403 tenant_inactive');
  });

  it('is counted among the rejected calls, and not in the plan', async () => {
    await limit(HOME);
    await use(AWAY);
    await use(AWAY);
    await service.app.deps.meter.flush();
    const { body } = await service.call('GET', '/api/console/requests/rejected', { as: account.token });
    expect(body.rejected).toMatchObject([{ error: 'address_not_allowed', calls: 2 }]);
    expect(
      (await service.call('GET', '/api/console/usage', { as: account.token })).body.currentMonth.used,
    ).toBe(0);
  });

  it('may lock its owner out: a warning says so, and the dashboard undoes it', async () => {
    expect(await limit(AWAY)).toMatchObject({ warning: expect.stringContaining(HOME) });
    expect(await use(HOME)).toBe(NOT_ALLOWED);
    expect(await limit(AWAY, HOME)).not.toHaveProperty('warning');
    expect(await limit()).not.toHaveProperty('warning');
    expect(await use(HOME)).toBe('200');
  });

  it('ends streams from other addresses, and keeps those from the networks', async () => {
    const body = { name: 'Events', environment: 'live', scopes: ['events:read'] };
    const { apiKey } = (await service.call('POST', '/api/console/keys', { as: account.token, body })).body;
    const headers = { authorization: `Bearer ${apiKey.key}` };
    const events = await openStream(service, '/v1/events/stream', headers);
    await change({ allowedCidrs: [HOME, '127.0.0.0/8'] }, { id: apiKey.id });
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    let next = await events.next();
    while (next !== undefined && next.event !== 'user.created') next = await events.next();
    expect(next).toMatchObject({ event: 'user.created' });
    await change({ allowedCidrs: [HOME] }, { id: apiKey.id });
    expect(await events.ended()).toBe(true);
  });
});

describe('a server that may be behind a proxy it does not trust', () => {
  it.each(['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1', '172.16.0.1', 'fd00::1', '::ffff:10.0.0.1'])(
    'accepts no networks from %s, but an empty list and a name',
    async (address) => {
      const reply = await change({ allowedCidrs: [HOME] }, { address });
      expect(outcome(reply)).toBe('400 invalid_request');
      expect(reply.body.details[0].message).toContain('TRUST_PROXY');
      expect((await change({ allowedCidrs: [], name: 'Gate' }, { address })).status).toBe(200);
    },
  );

  it('with TRUST_PROXY judges the address that the proxy reports, in every form, and refuses one that nobody can read [limits/addresses-from-proxies]', async () => {
    const behind = await startService({ env: { TRUST_PROXY: '127.0.0.1' } });
    account = await behind.signUp();
    const call = (method: string, path: string, from: string, as: string, body?: object) =>
      behind.call(method, path, { as, body, headers: { 'x-forwarded-for': from } });
    const path = `/api/console/keys/${account.keyId}`;
    const set = await call('PATCH', path, '10.1.2.3', account.token, { allowedCidrs: ['10.1.2.0/24'] });
    expect([set.status, set.body.warning]).toEqual([200, undefined]);
    expect((await call('GET', '/v1/devices', '10.1.2.99', account.key)).status).toBe(200);
    expect(outcome(await call('GET', '/v1/devices', '10.1.3.1', account.key))).toBe(NOT_ALLOWED);
    for (const [from, status] of [
      ['10.1.2.99:5678', 200],
      ['"[::ffff:10.1.2.99]:5678"', 200],
      ['10.1.3.1:5678', 403],
      ['10.1.2.99.example', 403],
      ['_hidden', 403],
    ] as const)
      expect((await call('GET', '/v1/devices', from, account.key)).status, from).toBe(status);
    await behind.close();
  });
});

describe('the network of a key’s last use', () => {
  it('is the /24 or /48 of the caller, and is stored with lastUsedAt [keys/where-a-key-was-used]', async () => {
    expect((await read()).lastUsedNetwork).toBeNull();
    for (const [address, network] of [
      ['203.0.113.7', '203.0.113.0/24'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ] as const) {
      service.clock.advance(60_000);
      await use(address);
      await service.app.deps.meter.flush();
      expect(await read()).toMatchObject({
        lastUsedNetwork: network,
        lastUsedAt: new Date(service.clock.now()).toISOString(),
      });
    }
  });
});
