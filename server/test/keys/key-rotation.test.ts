import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
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

interface Key {
  readonly id: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly replacedBy: string | null;
  readonly key: string;
}

const as = () => account.token;
const create = async (body: object = {}): Promise<Key> =>
  (
    await service.call('POST', '/api/console/keys', {
      as: as(),
      body: { name: 'Key', environment: 'live', ...body },
    })
  ).body.apiKey;
const rotate = (id: string, graceSeconds: unknown = 3600, token = as()) =>
  service.call('POST', `/api/console/keys/${id}/rotate`, { as: token, body: { graceSeconds } });
const rotated = async (id: string, graceSeconds = 3600): Promise<Key> => {
  const reply = await rotate(id, graceSeconds);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.apiKey;
};
const revoke = (id: string) => service.call('DELETE', `/api/console/keys/${id}`, { as: as() });
const list = async (): Promise<Key[]> =>
  (await service.call('GET', '/api/console/keys?limit=100', { as: as() })).body.keys;
const read = async (id: string) => (await list()).find((key) => key.id === id) as Key;
const use = async (key: string) => (await service.call('GET', '/v1/devices?limit=1', { as: key })).status;
const usable = async () => {
  const now = new Date(service.clock.now());
  const rows = await service.db.query<{
    n: number;
  }>(sql`select count(*) as n from api_keys where revoked_at is null
    and tenant_id = ${account.tenantId} and (expires_at is null or expires_at > ${now})`);
  return rows[0]?.n;
};
const inSeconds = (seconds: number) => new Date(service.clock.now() + seconds * 1000).toISOString();
const outcome = ({ status, body }: Awaited<ReturnType<typeof rotate>>) =>
  `${status} ${body.error ?? ''}`.trim();

describe('rotating an API key [POST /api/console/keys/:keyId/rotate] [keys/rotation]', () => {
  it('creates one like it, shown once, and both work until the grace ends', async () => {
    const old = await create({ name: 'Gate', environment: 'test', scopes: ['devices:read', 'audit:read'] });
    const reply = await rotate(old.id, 3600);
    expect(reply.headers['cache-control']).toBe('no-store');
    const { key, warning, ...shown } = reply.body.apiKey;
    expect(key).toMatch(/^svc_test_[0-9a-f]{48}$/);
    expect(warning).toContain('once');
    expect(shown).toMatchObject({
      name: 'Gate',
      environment: 'test',
      scopes: ['devices:read', 'audit:read'],
    });
    expect(shown).toMatchObject({ status: 'active', expiresAt: null, replacedBy: null, allowedCidrs: [] });
    expect(await list()).toContainEqual(shown);
    expect(await read(old.id)).toMatchObject({
      status: 'active',
      expiresAt: inSeconds(3600),
      replacedBy: shown.id,
    });
    service.clock.advance(3_599_999);
    expect([await use(old.key), await use(key)]).toEqual([200, 200]);
    service.clock.advance(1);
    expect([await use(old.key), await use(key)]).toEqual([401, 200]);
    expect((await read(old.id)).status).toBe('expired');
  });

  it('without grace ends the old key immediately', async () => {
    const { key } = await rotated(account.keyId, 0);
    expect([await use(account.key), await use(key)]).toEqual([401, 200]);
    expect((await read(account.keyId)).status).toBe('expired');
  });

  it('keeps an own expiresAt: the new key has it, and the old one ends no later', async () => {
    const expiresAt = inSeconds(600);
    const old = await create({ expiresAt });
    expect((await rotated(old.id, 3600)).expiresAt).toBe(expiresAt);
    expect((await read(old.id)).expiresAt).toBe(expiresAt);
    const other = await create({ expiresAt });
    expect((await rotated(other.id, 60)).expiresAt).toBe(expiresAt);
    expect((await read(other.id)).expiresAt).toBe(inSeconds(60));
  });

  it('keeps the networks', async () => {
    const path = `/api/console/keys/${account.keyId}`;
    const body = { allowedCidrs: ['203.0.113.0/24'] };
    await service.call('PATCH', path, { as: as(), body, address: '203.0.113.7' });
    expect(await rotated(account.keyId)).toMatchObject({ allowedCidrs: ['203.0.113.0/24'] });
  });

  it('writes an event for each key: created, rotated, and revoked for a predecessor', async () => {
    const second = await rotated(account.keyId, 60);
    const third = await rotated(second.id, 0);
    const { body } = await service.call('GET', '/v1/audit?limit=5', { as: third.key });
    const events = body.audit.map((event: Record<string, unknown>) => [
      event.action,
      event.entityId,
      event.metadata,
    ]);
    expect(events).toEqual([
      ['api_key.rotated', second.id, { graceSeconds: 0, replacedBy: third.id }],
      ['api_key.created', third.id, { environment: 'live' }],
      ['api_key.revoked', account.keyId, {}],
      ['api_key.rotated', account.keyId, { graceSeconds: 60, replacedBy: second.id }],
      ['api_key.created', second.id, { environment: 'live' }],
    ]);
  });

  it('rejects a key that has ended or was already replaced with 409 api_key_not_active', async () => {
    const rejected = '409 api_key_not_active';
    const second = await rotated(account.keyId, 60);
    expect(outcome(await rotate(account.keyId)), 'within its grace').toBe(rejected);
    service.clock.advance(60_000);
    expect(outcome(await rotate(account.keyId)), 'after its grace').toBe(rejected);
    await revoke(second.id);
    expect(outcome(await rotate(second.id)), 'revoked').toBe(rejected);
    const expiring = await create({ expiresAt: inSeconds(1) });
    service.clock.advance(1_000);
    expect(outcome(await rotate(expiring.id)), 'expired').toBe(rejected);
    const ended = await create();
    await rotated(ended.id, 0);
    expect(outcome(await rotate(ended.id)), 'without grace').toBe(rejected);
  });

  it('rejects bad input, and keys of other accounts as unknown', async () => {
    for (const grace of [-1, 604_801, 0.5, '60', null, true])
      expect((await rotate(account.keyId, grace)).status).toBe(400);
    const path = `/api/console/keys/${account.keyId}/rotate`;
    expect((await service.call('POST', path, { as: as(), body: {} })).status).toBe(400);
    expect(
      (await service.call('POST', path, { as: as(), body: { graceSeconds: 0, scopes: [] } })).status,
    ).toBe(400);
    const stranger = await service.signUp();
    for (const id of [stranger.keyId, crypto.randomUUID(), 'x'])
      expect(outcome(await rotate(id, 0))).toBe('404 api_key_not_found');
    expect(await use(stranger.key)).toBe(200);
    expect((await read(account.keyId)).replacedBy).toBeNull();
  });

  it('is not possible with an API key, or for a suspended account', async () => {
    expect(outcome(await rotate(account.keyId, 0, account.key))).toBe('401 invalid_console_token');
    await service.setStatus(account, 'suspended');
    expect(outcome(await rotate(account.keyId, 0))).toBe('403 tenant_inactive');
    await service.setStatus(account, 'active');
    expect((await read(account.keyId)).replacedBy).toBeNull();
  });

  it('can be revoked within its grace, which leaves the new key alone', async () => {
    const { key } = await rotated(account.keyId, 3600);
    const { body } = await revoke(account.keyId);
    expect(body.apiKey).toMatchObject({ status: 'revoked', revokedAt: inSeconds(0) });
    expect([await use(account.key), await use(key)]).toEqual([401, 200]);
  });

  it('of two concurrent requests accepts exactly one', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => rotate(account.keyId)));
    expect(replies.map(outcome).sort()).toEqual(['201', ...Array(4).fill('409 api_key_not_active')]);
    expect(await usable()).toBe(2);
  });
});

describe('the limit of ten keys and rotation', () => {
  const limited = async () =>
    (
      await service.call('POST', '/api/console/keys', {
        as: as(),
        body: { name: 'Key', environment: 'live' },
      })
    ).status;

  it('counts a key and its successor once, so all ten can be rotated again and again', async () => {
    const ids = [account.keyId];
    for (let made = 1; made < 10; made += 1) ids.push((await create()).id);
    expect(await limited()).toBe(409);
    for (let round = 0; round < 2; round += 1)
      for (const [at, id] of ids.entries()) ids[at] = (await rotated(id, 604_800)).id;
    expect(await usable()).toBe(20);
    expect(await limited()).toBe(409);
    expect((await list()).filter(({ status }) => status === 'active')).toHaveLength(20);
  });

  it('counts a key in its grace whose successor is revoked, so an account never has more than twenty usable keys', async () => {
    const ids = [account.keyId];
    for (let made = 1; made < 10; made += 1) ids.push((await create()).id);
    for (const id of ids) await revoke((await rotated(id, 3600)).id);
    expect(await usable()).toBe(10);
    expect(await limited()).toBe(409);
    service.clock.advance(3_600_000);
    expect(await limited()).toBe(201);
  });

  it('frees no place when the old key ends', async () => {
    const ids = [account.keyId];
    for (let made = 1; made < 10; made += 1) ids.push((await create()).id);
    await rotated(ids[0] as string, 0);
    expect(await limited()).toBe(409);
  });
});

describe('a stream of a key that was rotated', () => {
  const opened = async () => {
    const { id, key } = await create({ scopes: ['events:read'] });
    return { id, events: await openStream(service, '/v1/events/stream', { authorization: `Bearer ${key}` }) };
  };

  it('ends immediately without grace', async () => {
    const { id, events } = await opened();
    await rotated(id, 0);
    expect(await events.ended()).toBe(true);
  });

  it('ends when the grace ends', async () => {
    const { id, events } = await opened();
    await rotated(id, 600);
    service.clock.advance(599_000);
    await vi.waitFor(() => expect(service.app.deps.streams.size).toBe(1));
    await vi.waitFor(async () => {
      service.clock.advance(2_000);
      expect(service.app.deps.streams.size).toBe(0);
    });
    expect(await events.ended()).toBe(true);
  });

  it('ends when its key is replaced by the next rotation', async () => {
    const { id, events } = await opened();
    const next = await rotated(id, 600);
    await rotated(next.id, 600);
    expect(await events.ended()).toBe(true);
  });
});
