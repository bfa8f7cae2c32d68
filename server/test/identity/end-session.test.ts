import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { bindPairing } from '../support/pairing.js';
import { openSession } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const end = (id: string, as = account.key) => service.call('DELETE', `/v1/sessions/${id}`, { as });
const me = async (token: string) =>
  (await service.call('GET', '/v1/identity/me', { as: account.key, headers: { 'x-session-token': token } }))
    .status;
const events = async (id: string) =>
  (
    await service.db.query<{ action: string }>(sql`select action from audit_events where entity_id = ${id}`)
  ).map(({ action }) => action);

describe('DELETE /v1/sessions/:id', () => {
  it('ends the session immediately, and once [DELETE /v1/sessions/:id] [sessions/ending-a-session] [session.ended]', async () => {
    const { accessToken, refreshToken, sessionId } = (await openSession(service, account)).reply.body;
    const first = await end(sessionId);
    const session = { id: sessionId, endedAt: new Date(service.clock.now()).toISOString() };
    expect([first.status, first.body]).toEqual([200, { session }]);
    expect(await me(accessToken)).toBe(401);
    const refreshed = await service.call('POST', '/v1/identity/refresh', {
      as: account.key,
      body: { refreshToken },
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([401, 'invalid_refresh_token']);
    service.clock.advance(1000);
    expect((await end(sessionId)).body).toEqual({ session });
    expect(await events(sessionId)).toEqual(['session.ended']);
  });

  it('ends the other session of the pairing too [sessions/ending-a-session]', async () => {
    const { person } = await bindPairing(service, account);
    const list = async () =>
      (await service.call('GET', `/api/console/sessions?userId=${person.userId}`, { as: account.token })).body
        .sessions;
    const open = await list();
    expect(open).toHaveLength(2);
    expect((await end(open[0].id)).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('returns 404 for sessions of others, of the other environment and for anything that is no UUID [session_not_found] [sessions/ending-a-session]', async () => {
    const { accessToken, sessionId } = (await openSession(service, account)).reply.body;
    const stranger = await service.signUp();
    const testKey = await service.createKey(account, 'test');
    for (const as of [stranger.key, testKey]) {
      const reply = await end(sessionId, as);
      expect([reply.status, reply.body.error]).toEqual([404, 'session_not_found']);
    }
    const malformed = await end('x');
    expect([malformed.status, malformed.body.error]).toEqual([404, 'session_not_found']);
    expect(await me(accessToken)).toBe(200);
  });

  it('audits one of twenty concurrent requests [sessions/ending-a-session]', async () => {
    const { sessionId } = (await openSession(service, account)).reply.body;
    const replies = await Promise.all(Array.from({ length: 20 }, () => end(sessionId)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await events(sessionId)).toEqual(['session.ended']);
  });

  it('returns when an expired session expired, and writes nothing [sessions/ending-a-session]', async () => {
    const { sessionId } = (await openSession(service, account)).reply.body;
    const expiry = new Date(service.clock.now() + 90 * 24 * 60 * 60_000).toISOString();
    service.clock.advance(91 * 24 * 60 * 60_000);
    expect((await end(sessionId)).body).toEqual({ session: { id: sessionId, endedAt: expiry } });
    expect(await events(sessionId)).toEqual([]);
  });
});
