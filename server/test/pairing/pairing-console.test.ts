import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindPairing, openPairing, poll, proveForPairing, submit, watch } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const get = (path: string, session: string, cookie?: string) =>
  service.call('GET', path, { session, headers: { ...(cookie && { cookie }) } });

describe('pairing in a session of the dashboard', () => {
  it('opens a session like an API key does, and signs in [POST /v1/proof-pairing/sessions] [GET /v1/proof-pairing/sessions/:id/stream]', async () => {
    const person = await registerPerson(service, account.key);
    const pairing = await openPairing(service, account.token);
    expect(pairing.streamUrl).toBe(`/v1/proof-pairing/sessions/${pairing.id}/stream`);
    expect(String(pairing.reply.headers['set-cookie'])).toContain('; Path=/v1/proof-pairing/;');
    const stream = await watch(service, account.token, pairing);
    expect(await stream.next()).toMatchObject({ event: 'session_created', data: { id: pairing.id } });
    const body = await proveForPairing(person, {
      tenantId: account.tenantId,
      sessionId: pairing.id,
      nonce: pairing.nonce,
    });
    expect((await submit(service, account.key, pairing.id, body)).status).toBe(200);
    const bound = await stream.next();
    expect(bound).toMatchObject({ event: 'session_bound', data: { userId: person.userId, did: person.did } });
    expect(await stream.ended()).toBe(true);
    const { body: polled } = await get(
      `/v1/proof-pairing/sessions/${pairing.id}`,
      account.token,
      pairing.cookie,
    );
    expect(polled.tokens.refreshToken).toBe(bound.data.tokens.refreshToken);
  });

  it('returns a session only to the browser that opened it, within its account and environment [GET /v1/proof-pairing/sessions/:id]', async () => {
    const pairing = await openPairing(service, account.token);
    const path = `/v1/proof-pairing/sessions/${pairing.id}`;
    for (const suffix of ['', '/stream']) {
      const bare = await get(path + suffix, account.token);
      expect([bare.status, bare.body.error]).toEqual([403, 'pairing_bind_mismatch']);
      const other = await service.signUp();
      for (const reply of [
        await get(path + suffix, other.token, pairing.cookie),
        await get(`${path}${suffix}?environment=test`, account.token, pairing.cookie),
      ])
        expect([reply.status, reply.body.error]).toEqual([404, 'pairing_session_not_found']);
    }
    expect((await poll(service, account.key, pairing)).status).toBe(200);
  });

  it('lists the sessions of a person and of a device [records/sessions-of-a-person] [GET /v1/proof-pairing/sessions]', async () => {
    const own = await service.signUp();
    const { pairing: bound, person } = await bindPairing(service, own);
    const open = await openPairing(service, own.key);
    const ids = async (query: string) =>
      (await get(`/v1/proof-pairing/sessions?${query}`, own.token)).body.sessions.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids('')).toEqual([open.id, bound.id]);
    expect(await ids(`userId=${person.userId}`)).toEqual([bound.id]);
    expect(await ids(`userId=${person.userId}&state=issued`)).toEqual([]);
    expect(await ids(`deviceId=${person.userId}`)).toEqual([]);
    expect((await get('/v1/proof-pairing/sessions?deviceId=lobby', own.token)).status).toBe(400);
  });

  it('lists the sessions of a range of time, with the names of people and devices if asked [pairing/sessions-by-time] [GET /v1/proof-pairing/sessions]', async () => {
    const own = await service.signUp();
    const { pairing: bound, person } = await bindPairing(service, own);
    service.clock.advance(60_000);
    const between = new Date(service.clock.now()).toISOString();
    service.clock.advance(60_000);
    const open = await openPairing(service, own.key);
    const list = async (query: string) =>
      (await get(`/v1/proof-pairing/sessions?${query}`, own.token)).body.sessions as Record<
        string,
        unknown
      >[];
    const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await idsOf(`from=${between}`)).toEqual([open.id]);
    expect(await idsOf(`to=${between}`)).toEqual([bound.id]);
    expect(await idsOf(`from=${between}&to=${between}`)).toEqual([]);
    const { body } = await get(`/v1/users/${person.userId}`, own.token);
    expect(await list('include=names')).toMatchObject([
      { userName: null, deviceName: null },
      { userName: body.user.fullName, deviceName: null },
    ]);
    for (const session of await list('')) expect(session).not.toHaveProperty('userName');
  });

  it('lists sessions by state, newest first, without nonce, secret or token [pairing/list-of-sessions] [GET /v1/proof-pairing/sessions]', async () => {
    const own = await service.signUp();
    const { pairing: bound, person } = await bindPairing(service, own);
    const old = await openPairing(service, own.token);
    service.clock.advance(300_000);
    const open = await openPairing(service, own.key);
    const list = async (query = '') => (await get(`/v1/proof-pairing/sessions?${query}`, own.token)).body;
    const brief = ({ sessions }: { sessions: { id: string; state: string }[] }) =>
      sessions.map(({ id, state }) => [id, state]);
    expect(brief(await list())).toEqual([
      [open.id, 'issued'],
      [old.id, 'expired'],
      [bound.id, 'bound'],
    ]);
    for (const [id, state] of [
      [open.id, 'issued'],
      [old.id, 'expired'],
      [bound.id, 'bound'],
    ])
      expect(brief(await list(`state=${state}`))).toEqual([[id, state]]);
    expect((await list('state=bound')).sessions[0]).toEqual({
      id: bound.id,
      state: 'bound',
      match: 'off',
      origin: null,
      application: null,
      clientId: null,
      deviceId: null,
      createdAt: expect.any(String),
      expiresAt: bound.expiresAt,
      boundAt: expect.any(String),
      userId: person.userId,
      did: person.did,
    });
    expect((await list('environment=test')).sessions).toEqual([]);
    expect((await get('/v1/proof-pairing/sessions?state=open', own.token)).status).toBe(400);
  });

  it.each(['logout', 'password'])(
    '%s immediately ends the console’s open streams, and none of an API key',
    async (how) => {
      const own = await service.signUp();
      const byConsole = await watch(service, own.token, await openPairing(service, own.token));
      const byKey = await watch(service, own.key, await openPairing(service, own.key));
      await Promise.all([byConsole.next(), byKey.next()]);
      const body = { currentPassword: own.password, newPassword: 'another unusual sentence 43' };
      await service.call('POST', `/api/console/${how}`, {
        as: own.token,
        ...(how === 'password' && { body }),
      });
      expect(await byConsole.ended()).toBe(true);
      service.clock.advance(15_000);
      expect(await byKey.comment()).toMatch(/^: /);
      byKey.disconnect();
    },
  );
});
