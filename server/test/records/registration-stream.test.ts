import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { commit, completeBody, openCeremony, pair, pairBody, phone } from '../support/ceremony.js';
import { openStream, type StreamClient } from '../support/pairing.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

const MINUTE = 60_000;

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise', companyName: 'Example & Söhne' });
});
afterAll(() => service.close());
beforeEach(() => service.clock.advance(MINUTE));

const open = (profile: object = { fullName: 'Ada Lovelace' }) => openCeremony(service, account, { profile });
const follow = (id: string, as = account.key) =>
  openStream(service, `/v1/registrations/${id}/stream`, { authorization: `Bearer ${as}` });
/** The session of the next event. */
const next = async (stream: StreamClient) => {
  const [, data] = (await stream.block(/^event: registration$/m)).split('\ndata: ');
  return JSON.parse(data as string).session;
};
const read = (c: { id: string; pairCode: string }, more: object = {}, address = freshAddress()) =>
  service.call('POST', '/v1/registrations/context', {
    body: { pair_code: c.pairCode, session_id: c.id, ...more },
    address,
  });

describe('the stream of a registration', () => {
  it('sends the state, each new one, and a phone that opens the code, and ends with the ceremony [registrations/stream] [GET /v1/registrations/:id/stream]', async () => {
    const c = await open();
    const stream = await follow(c.id);
    expect(await next(stream)).toMatchObject({ id: c.id, state: 'awaiting_device' });
    await read(c);
    expect(await next(stream)).toMatchObject({
      state: 'awaiting_device',
      phone_connected_at: new Date(service.clock.now()).toISOString(),
    });
    await pair(service, c);
    expect((await next(stream)).state).toBe('awaiting_commitment');
    await commit(service, c);
    expect((await next(stream)).state).toBe('awaiting_verification');
    expect((await phone(service, 'complete', await completeBody(c))).status).toBe(201);
    expect(await next(stream)).toMatchObject({ state: 'completed', user_id: expect.any(String) });
    expect(await stream.ended()).toBe(true);
  });

  it('ends when the registration is abandoned, or its time is over', async () => {
    const [left, late] = [await open(), await open()];
    const [of, ofLate] = [await follow(left.id), await follow(late.id)];
    await Promise.all([next(of), next(ofLate)]);
    await service.call('DELETE', `/v1/registrations/${left.id}`, { as: account.key });
    expect((await next(of)).state).toBe('abandoned');
    expect(await of.ended()).toBe(true);
    service.clock.advance(30 * MINUTE);
    expect((await next(ofLate)).state).toBe('expired');
    expect(await ofLate.ended()).toBe(true);
    const after = await follow(late.id);
    expect((await next(after)).state).toBe('expired');
    expect(await after.ended()).toBe(true);
  });

  it('is of the account and environment alone, and ends with its credential', async () => {
    const c = await open();
    const other = await service.signUp();
    const testKey = await service.createKey(account, 'test');
    for (const as of [other.key, testKey]) expect((await follow(c.id, as)).status).toBe(404);
    const made = await service.call('POST', '/api/console/keys', {
      as: account.token,
      body: { name: 'desk', environment: 'live', scopes: ['users:read'] },
    });
    const stream = await follow(c.id, made.body.apiKey.key);
    await next(stream);
    await service.call('DELETE', `/api/console/keys/${made.body.apiKey.id}`, { as: account.token });
    expect(await stream.ended()).toBe(true);
  });

  it('counts as one call, and its reads are the account’s alone', async () => {
    const own = await service.signUp();
    const { body } = await service.call('POST', '/v1/registrations', { as: own.key, body: {} });
    const used = async () =>
      (await service.call('GET', '/api/console/usage', { as: own.token })).body.currentMonth.used;
    const before = await used();
    const stream = await follow(body.session.id, own.key);
    await next(stream);
    await read({ id: body.session.id, pairCode: body.pair.code });
    await next(stream);
    expect(await used()).toBe(before + 1);
    stream.disconnect();
  });
});

describe('a phone that opens the first code', () => {
  it('reads the company and the person’s name, and takes nothing [registrations/what-a-phone-reads] [POST /v1/registrations/context]', async () => {
    const c = await open();
    const reply = await read(c);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      session_id: c.id,
      tenant_id: account.tenantId,
      company_name: 'Example & Söhne',
      accent_color: '#0a6c56',
      logo_url: null,
      environment: 'live',
      person_name: 'Ada Lovelace',
      expires_at: expect.any(String),
    });
    expect((await read(await open({}))).body.person_name).toBeNull();
    expect((await read(await open({ fullName: 'Ada \u202eecalevoL' }))).body.person_name).not.toContain(
      '\u202e',
    );
    expect((await pair(service, c)).status).toBe(201);
  });

  it('reads the name of the existing person that the phone is for', async () => {
    const user = await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Grace' } });
    const { body } = await service.call('POST', '/v1/registrations', {
      as: account.key,
      body: { userId: user.body.user.id },
    });
    const reply = await read({ id: body.session.id, pairCode: body.pair.code });
    expect(reply.body.person_name).toBe('Grace');
  });

  it('is the same 404 for a guess, another registration’s code, and one that is used, over or abandoned', async () => {
    const [c, other, used, over] = [await open(), await open(), await open(), await open()];
    await pair(service, used);
    await service.call('DELETE', `/v1/registrations/${over.id}`, { as: account.key });
    const replies = [
      await read(c, { pair_code: 'SV-2222-2222' }),
      await read(c, { pair_code: 'nothing' }),
      await read(c, { session_id: other.id }),
      await read(c, { session_id: crypto.randomUUID() }),
      await read(used),
      await read(over),
    ];
    expect(replies.map(({ status, body }) => `${status} ${body.error}`)).toEqual(
      Array(6).fill('404 pair_failed'),
    );
    service.clock.advance(15 * MINUTE);
    expect((await read(c)).status).toBe(404);
  });

  it('shows at most once in ten seconds, is in no audit log, and stays out of a registration that goes on', async () => {
    const c = await open();
    await read(c);
    const at = async () =>
      (await service.call('GET', `/v1/registrations/${c.id}`, { as: account.key })).body.session
        .phone_connected_at;
    const first = await at();
    service.clock.advance(9_999);
    await read(c);
    expect(await at()).toBe(first);
    service.clock.advance(1);
    await read(c);
    expect(await at()).toBe(new Date(service.clock.now()).toISOString());
    const { body } = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(body.audit[0].action).toBe('registration.started');
  });

  it('allows an address 20 reads a minute, apart from the three steps', async () => {
    const c = await open();
    const address = freshAddress();
    for (let count = 0; count < 20; count += 1) expect((await read(c, {}, address)).status).toBe(200);
    expect((await read(c, {}, address)).status).toBe(429);
  });

  it('is still registered after four minutes on its first screen', async () => {
    const c = await open();
    await read(c);
    service.clock.advance(4 * MINUTE);
    expect((await pair(service, c)).status).toBe(201);
    await commit(service, c);
    expect((await phone(service, 'complete', await completeBody(c))).status).toBe(201);
  });
});

describe('two phones that open one code', () => {
  it('both read it, and the first that goes on takes it; the other learns that it is used [registrations/two-phones]', async () => {
    const c = await open();
    expect((await read(c)).body).toEqual((await read(c)).body);
    expect((await pair(service, c)).status).toBe(201);
    const second = { ...pairBody(c), fingerprint: `${c.fingerprint}:other` };
    expect((await phone(service, 'pair-device', second)).body.error).toBe('pair_failed');
    const [row] = await service.db.query<{ count: number }>(
      sql`select count(*)::int as count from devices where tenant_id = ${account.tenantId} and enrollment_state = 'pending'
        and id = (select device_id from registration_sessions where id = ${c.id})`,
    );
    expect(row?.count).toBe(1);
  });
});
