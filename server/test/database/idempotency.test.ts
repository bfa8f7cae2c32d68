import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

const DAY_MS = 24 * 60 * 60_000;

describe('an Idempotency-Key', () => {
  let service: Service;
  let account: Account;
  let readOnlyKey: string;
  let secondKey: string;
  let testKey: string;
  let userId: string;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
    // Created here because a console token is valid for one day, and the tests below advance the clock further.
    readOnlyKey = await service.createKey(account, 'live', ['audit:read']);
    secondKey = await service.createKey(account, 'live', ['devices:write']);
    testKey = await service.createKey(account, 'test');
    const user = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    userId = user.body.user.id;
  });
  afterAll(() => service.close());

  const send = (path: string, key: string, body: object, as = account.key, on = service) =>
    on.call('POST', path, { as, body, headers: { 'idempotency-key': key } });
  const isReplay = (reply: Reply) => reply.headers['idempotent-replayed'] === 'true';
  const identity = () => {
    const { did, commitment } = createIdentity();
    return { did, commitment };
  };

  /** Each route that accepts the header: two different bodies, and how to read the record's id from the response. */
  const routes: readonly (readonly [string, () => object, () => object, (reply: Reply) => string])[] = [
    ['/v1/devices', () => ({ name: 'A' }), () => ({ name: 'B' }), ({ body }) => body.device?.id],
    [
      '/v1/verifications',
      () => ({ method: 'manual', result: 'pass' }),
      () => ({ method: 'manual', result: 'fail' }),
      ({ body }) => body.verification?.id,
    ],
    ['/v1/users', () => ({ fullName: 'A' }), () => ({ fullName: 'B' }), ({ body }) => body.user?.id],
    [
      '/v1/attendance',
      () => ({ userId, type: 'check_in' }),
      () => ({ userId, type: 'check_out' }),
      ({ body }) => body.attendance?.id,
    ],
    ['/v1/identity/register', identity, identity, ({ body }) => body.did],
  ];

  describe.each(routes)('on %s', (path, one, other, idOf) => {
    it('returns the same record and status for the same body, and 409 idempotency_key_reused for another [http/idempotency]', async () => {
      const body = one();
      const key = `replay ${path}`;
      const first = await send(path, key, body);
      expect([first.status, isReplay(first)]).toEqual([201, false]);
      const again = await send(path, key, body);
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
      const reused = await send(path, key, other());
      expect([reused.status, reused.body.error]).toEqual([409, 'idempotency_key_reused']);
      expect(idOf(await send(path, `another ${path}`, other()))).not.toBe(idOf(first));
    });

    it('creates one record for ten concurrent requests on two nodes', async () => {
      const node = await startService({ clock: service.clock });
      const body = one();
      const head = async () =>
        (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head.seq as number;
      const before = await head();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          send(path, `race ${path}`, body, account.key, i % 2 ? node : service),
        ),
      );
      expect(await head()).toBe(before + 1);
      const created = replies.filter(({ status }) => status === 201);
      expect(created.filter((reply) => !isReplay(reply))).toHaveLength(1);
      expect(new Set(created.map(idOf)).size).toBe(1);
      for (const reply of replies.filter(({ status }) => status !== 201))
        expect([reply.status, reply.body.error]).toEqual([409, 'idempotency_key_in_use']);
      await node.close();
    });

    it('can be used again after a failed request', async () => {
      const key = `failure ${path}`;
      const body = one();
      expect((await send(path, key, { ...body, nonsense: 1 })).status).toBe(400);
      expect((await send(path, key, body, readOnlyKey)).status).toBe(403);
      expect((await send(path, key, body)).status).toBe(201);
    });

    it('expires after 24 hours [http/idempotency]', async () => {
      const body = one();
      const key = `expiry ${path}`;
      const first = await send(path, key, body);
      service.clock.advance(DAY_MS - 1);
      expect(isReplay(await send(path, key, body))).toBe(true);
      service.clock.advance(1);
      const later = await send(path, key, other());
      expect([later.status, isReplay(later)]).toEqual([201, false]);
      expect(idOf(later)).not.toBe(idOf(first));
    });

    it.each([[''], ['x'.repeat(256)], ['tab\there'], ['\x7f'], ['é']])(
      'is rejected if it is %j',
      async (key) => {
        const reply = await send(path, key, one());
        expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
        expect(reply.body.details).toEqual([
          { path: 'headers.idempotency-key', message: expect.any(String) },
        ]);
      },
    );

    it('is rejected if it is sent twice', async () => {
      const headers = { 'idempotency-key': ['a', 'b'] };
      const reply = await service.call('POST', path, { as: account.key, body: one(), headers });
      expect(reply.status).toBe(400);
    });
  });

  it('may be 1 to 255 characters long [http/idempotency]', async () => {
    for (const key of ['k', '~'.repeat(255)])
      expect((await send('/v1/devices', key, { name: 'Door' })).status).toBe(201);
  });

  it('can be used again after a conflict in the database', async () => {
    await send('/v1/devices', 'unique 1', { name: 'A', externalId: 'unique' });
    expect((await send('/v1/devices', 'unique 2', { name: 'B', externalId: 'unique' })).status).toBe(409);
    expect((await send('/v1/devices', 'unique 2', { name: 'B' })).status).toBe(201);
  });

  it('returns the current state of the record', async () => {
    const { body } = await send('/v1/devices', 'current', { name: 'Before' });
    await service.call('PATCH', `/v1/devices/${body.device.id}`, {
      as: account.key,
      body: { name: 'After' },
    });
    expect((await send('/v1/devices', 'current', { name: 'Before' })).body.device.name).toBe('After');
  });

  it('compares bodies byte by byte', async () => {
    const raw = (text: string) =>
      service.call('POST', '/v1/devices', {
        as: account.key,
        raw: text,
        headers: { 'idempotency-key': 'bytes', 'content-type': 'application/json' },
      });
    expect((await raw('{"name":"A","locationId":"x"}')).status).toBe(201);
    expect(isReplay(await raw('{"name":"A","locationId":"x"}'))).toBe(true);
    expect((await raw('{"locationId":"x","name":"A"}')).body.error).toBe('idempotency_key_reused');
  });

  it('is scoped to one tenant, environment and route', async () => {
    const stranger = await service.signUp();
    const body = { name: 'Scoped' };
    const ids = new Set<string>();
    for (const as of [account.key, testKey, stranger.key]) {
      const reply = await send('/v1/devices', 'scoped', body, as);
      expect([reply.status, isReplay(reply)]).toEqual([201, false]);
      ids.add(reply.body.device.id);
    }
    expect(ids.size).toBe(3);
    const elsewhere = await send('/v1/verifications', 'scoped', { method: 'manual', result: 'pass' });
    expect([elsewhere.status, isReplay(elsewhere)]).toEqual([201, false]);
  });

  it('survives a restart, and works with another API key of the tenant', async () => {
    const first = await send('/v1/devices', 'restart', { name: 'Kept' });
    const restarted = await startService({ clock: service.clock });
    const again = await send('/v1/devices', 'restart', { name: 'Kept' }, secondKey, restarted);
    expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body]);
    await restarted.close();
  });
});
