// @module-tag embedded-ci
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Account, type Service, startService } from '../support/service.js';

describe('status transitions', () => {
  let service: Service;
  let account: Account;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(() => service.close());

  const headSeq = async () =>
    (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head.seq as number;

  describe('a device', () => {
    const patch = (id: string, body: object, surface = '/v1') =>
      service.call('PATCH', `${surface}/devices/${id}`, {
        as: surface === '/v1' ? account.key : account.token,
        body,
      });
    const row = async (id: string) =>
      (
        await service.db.query(
          sql`select * from devices where tenant_id = ${account.tenantId} and id = ${id}`,
        )
      )[0];
    const deviceIn = async (status: string): Promise<string> => {
      const { body } = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
      if (status !== 'active') await patch(body.device.id, { status });
      return body.device.id;
    };

    const MOVES = [
      ['active', 'active', 200],
      ['active', 'inactive', 200],
      ['active', 'retired', 200],
      ['inactive', 'active', 200],
      ['inactive', 'inactive', 200],
      ['inactive', 'retired', 200],
      ['retired', 'active', 409],
      ['retired', 'inactive', 409],
      ['retired', 'retired', 200],
    ] as const;
    it.each(['/v1', '/api/console'].flatMap((surface) => MOVES.map((move) => [surface, ...move] as const)))(
      'by PATCH %s: %s → %s returns %i [devices/statuses]',
      async (surface, from, to, status) => {
        const id = await deviceIn(from);
        const [before, seq] = [await row(id), await headSeq()];
        const reply = await patch(id, { status: to }, surface);
        expect(reply.status).toBe(status);
        if (status === 200) {
          expect(reply.body.device.status).toBe(to);
          expect(await headSeq()).toBe(seq + 1);
        } else {
          expect(reply.body.error).toBe('invalid_transition');
          expect(await row(id)).toEqual(before);
          expect(await headSeq()).toBe(seq);
        }
      },
    );

    it.each([['pending'], ['enrolled'], ['revoked'], ['ACTIVE'], [''], [null]])(
      'rejects the status %j',
      async (status) => {
        const id = await deviceIn('active');
        expect((await patch(id, { status })).status).toBe(400);
        expect(await row(id)).toMatchObject({ status: 'active' });
      },
    );

    it('a rejected transition changes no other field of the request', async () => {
      const id = await deviceIn('retired');
      expect((await patch(id, { status: 'active', name: 'Revived' })).status).toBe(409);
      expect(await row(id)).toMatchObject({ status: 'retired', name: 'Door' });
    });

    it('ends retired when a retirement and an activation are simultaneous', async () => {
      const id = await deviceIn('inactive');
      await Promise.all([patch(id, { status: 'retired' }), patch(id, { status: 'active' })]);
      expect(await row(id)).toMatchObject({ status: 'retired' });
    });
  });

  describe('a user', () => {
    it.each([
      ['active', 'active'],
      ['active', 'inactive'],
      ['inactive', 'active'],
      ['inactive', 'inactive'],
    ])('%s → %s returns 200', async (from, to) => {
      const patch = (id: string, status: unknown) =>
        service.call('PATCH', `/v1/users/${id}`, { as: account.key, body: { status } });
      const created = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
      const { id } = created.body.user;
      await patch(id, from);
      const seq = await headSeq();
      const reply = await patch(id, to);
      expect([reply.status, reply.body.user.status]).toEqual([200, to]);
      expect(await headSeq()).toBe(seq + 1);
      for (const invalid of ['retired', 'deleted', 'ACTIVE', '', null]) {
        expect((await patch(id, invalid)).body.error).toBe('invalid_request');
        const listed = await service.call('GET', `/v1/users?status=${to}&limit=1`, { as: account.key });
        expect(listed.body.users[0].id).toBe(id);
      }
    });
  });

  describe('an API key', () => {
    const make = async (state: string) => {
      const expiresAt = new Date(service.clock.now() + 1000).toISOString();
      const { body } = await service.call('POST', '/api/console/keys', {
        as: account.token,
        body: { name: 'Moves', environment: 'live', ...(state === 'expired' && { expiresAt }) },
      });
      const { id, key } = body.apiKey as { id: string; key: string };
      if (state === 'expired') service.clock.advance(1000);
      if (state === 'revoked') await revoke(id);
      return { id, key };
    };
    const revoke = (id: string) => service.call('DELETE', `/api/console/keys/${id}`, { as: account.token });
    const use = (key: string) => service.call('GET', '/v1/devices', { as: key });
    const shown = async (id: string) => {
      const { body } = await service.call('GET', '/api/console/keys', { as: account.token });
      return body.keys.find((key: { id: string }) => key.id === id);
    };

    it.each([
      ['active', 'revoked', 1],
      ['revoked', 'revoked', 0],
      ['expired', 'revoked', 1],
    ])('API key: %s → %s by DELETE, with %i audit events', async (from, to, events) => {
      const { id, key } = await make(from);
      const [before, seq] = [await shown(id), await headSeq()];
      expect(before.status).toBe(from);
      service.clock.advance(1000);
      const reply = await revoke(id);
      expect([reply.status, reply.body.apiKey.status]).toEqual([200, to]);
      if (from === 'revoked') expect(reply.body.apiKey).toEqual(before);
      expect(await headSeq()).toBe(seq + events);
      expect((await use(key)).body.error).toBe('invalid_api_key');
      expect(await shown(id)).toEqual(reply.body.apiKey);
    });

    it('works until the millisecond it expires', async () => {
      const expiresAt = new Date(service.clock.now() + 1000).toISOString();
      const { body } = await service.call('POST', '/api/console/keys', {
        as: account.token,
        body: { name: 'Short', environment: 'live', expiresAt },
      });
      service.clock.advance(999);
      expect((await use(body.apiKey.key)).status).toBe(200);
      service.clock.advance(1);
      expect((await use(body.apiKey.key)).body.error).toBe('invalid_api_key');
    });

    it.each([
      ['PATCH', 400],
      ['PUT', 405],
      ['POST', 405],
    ])('cannot be reactivated by %s', async (method, status) => {
      const { id } = await make('revoked');
      const reply = await service.call(method, `/api/console/keys/${id}`, {
        as: account.token,
        body: { status: 'active' },
      });
      expect(reply.status).toBe(status);
      expect((await shown(id)).status).toBe('revoked');
    });
  });

  it.each([
    ['occurredAt', 'POST', '/v1/verifications', { method: 'manual', result: 'pass' }],
    ['lastSeenAt', 'PATCH', '/v1/devices/019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b', {}],
  ])('rejects %s in the year 0, which PostgreSQL cannot store', async (field, method, path, body) => {
    const reply = await service.call(method, path, {
      as: account.key,
      body: { ...body, [field]: '0000-01-01T00:00:00.000Z' },
    });
    expect([reply.status, reply.body.details?.[0]?.path]).toEqual([400, `body.${field}`]);
  });
});
