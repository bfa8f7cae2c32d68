import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { fullPerson } from '../support/full-person.js';
import { portOf } from '../support/pairing.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let eraser: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  eraser = await service.createKey(account, 'live', ['users:erase']);
});
afterAll(() => service.close());

const exported = (userId: string, as = account.key) =>
  service.call('GET', `/v1/users/${userId}/export`, { as });

const createUser = async (): Promise<string> =>
  (await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } })).body.user.id;

/** Gives a user this many verifications, one a second. */
const addEvents = (userId: string, count: number) =>
  service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, user_id, reason, occurred_at, created_at)
    select ${account.tenantId}::uuid, 'live', gen_random_uuid(), 'manual', 'pass', ${userId}::uuid, 'desk ' || n,
      '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', now() from generate_series(1, ${count}::int) n`);

describe('the export of a person', () => {
  it('has everything that the tables have of the person, as one JSON document [GET /v1/users/:userId/export] [erasure/exporting-a-person]', async () => {
    const person = await fullPerson(service, account);
    const reply = await exported(person.userId);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'content-disposition': `attachment; filename="user-${person.userId}.json"`,
      'cache-control': 'no-store',
    });
    const document = JSON.parse(reply.text);
    expect(document).toMatchObject({ environment: 'live', user: { id: person.userId, ...person.profile } });
    expect(document.identities.map(({ did }: { did: string }) => did).sort()).toEqual(
      [person.did, person.second.did].sort(),
    );
    expect(document.commitments).toHaveLength(3);
    expect(document.devices).toMatchObject([{ name: 'Phone', fingerprint: expect.any(String) }]);
    expect(document.registrations).toMatchObject([{ state: 'completed', profile: person.profile }]);
    expect(document.pairings).toMatchObject([
      { state: 'bound', did: person.did, context: expect.anything() },
    ]);
    expect(document.connections).toHaveLength(1);
    expect(document.sessions.length).toBeGreaterThan(2);
    const { verification } = (
      await service.call('GET', `/v1/verifications/${person.verificationId}`, { as: account.key })
    ).body;
    expect(document.verifications).toContainEqual(verification);
    expect(document.attendance).toMatchObject([{ userId: person.userId, metadata: expect.anything() }]);
    expect(reply.text).not.toMatch(/token_hash|refresh|password/i);
  });

  it('is recorded in the audit log before its first byte, with the number of events [tenant.exported] [erasure/exporting-a-person]', async () => {
    const userId = await createUser();
    await addEvents(userId, 3);
    await exported(userId);
    const [event] = await service.db.query<{
      entity_id: string;
      metadata: object;
    }>(sql`select entity_id, metadata
      from audit_events where tenant_id = ${account.tenantId} and action = 'tenant.exported' order by seq desc limit 1`);
    expect(event).toEqual({
      entity_id: userId,
      metadata: { records: 'person', count: 3, countIsExact: true },
    });
  });

  it('lists every event once, oldest first, however many pages it takes [erasure/exporting-a-person]', async () => {
    const userId = await createUser();
    await addEvents(userId, 2_500);
    const { verifications } = JSON.parse((await exported(userId)).text);
    expect(verifications.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => `desk ${n + 1}`),
    );
  });

  it('has what is left of an erased person: ids, results and times [erasure/exporting-a-person]', async () => {
    const person = await fullPerson(service, account);
    await service.call('POST', `/v1/users/${person.userId}/erase`, { as: eraser, body: {} });
    const document = JSON.parse((await exported(person.userId)).text);
    expect(document.user).toMatchObject({ fullName: '', erasedAt: expect.any(String) });
    expect(document.identities).toMatchObject([{ did: null }, { did: null }]);
    expect(document.verifications.length).toBeGreaterThan(0);
    expect([document.connections, document.pairings]).toEqual([[], []]);
  });

  it('finds no user of another account or environment, and needs users:read [user_not_found] [erasure/exporting-a-person]', async () => {
    const userId = await createUser();
    const test = await service.createKey(account, 'test', ['users:read']);
    expect((await exported(userId, test)).body.error).toBe('user_not_found');
    expect((await exported(userId, (await service.signUp()).key)).body.error).toBe('user_not_found');
    expect((await exported(userId, eraser)).body.error).toBe('insufficient_scopes');
  });

  it.each([
    [
      'the person is erased',
      (userId: string) => service.call('POST', `/v1/users/${userId}/erase`, { as: eraser, body: {} }),
    ],
    [
      'its key is revoked',
      (_: string, keyId: string) =>
        service.call('DELETE', `/api/console/keys/${keyId}`, { as: account.token }),
    ],
  ])(
    'is cut off, and is then no JSON, if %s while it runs [erasure/exporting-a-person]',
    { tags: ['ci'] },
    async (_, change) => {
      const userId = await createUser();
      // All in one statement would take longer than the database allows, on a busy machine.
      for (let part = 0; part < 8; part += 1) await addEvents(userId, 5_000);
      const key = await service.createKey(account, 'live', ['users:read']);
      const { keys } = (await service.call('GET', '/api/console/keys', { as: account.token })).body;
      const text = await readSlowly(userId, key, () => change(userId, keys[0].id));
      expect(text.length).toBeGreaterThan(1_000);
      expect(() => JSON.parse(text.slice(text.indexOf('{')))).toThrow();
      expect(text).not.toContain('"attendance":[');
    },
  );
});

/** Reads a response on a socket that stops after its beginning, until something has happened. */
async function readSlowly(userId: string, key: string, happens: () => Promise<unknown>): Promise<string> {
  const socket = connect(await portOf(service), '127.0.0.1');
  socket.write(
    `GET /v1/users/${userId}/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  await new Promise<void>((resolve) => {
    socket.once('data', (chunk) => {
      text += String(chunk);
      socket.pause();
      resolve();
    });
  });
  await happens();
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
    socket.resume();
  });
}
