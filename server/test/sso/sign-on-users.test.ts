import { createIdentity } from '@svc/zk/phone';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { sql } from '../../src/db/sql.js';
import { emptyDatabase, migrationsFolder } from '../support/database.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { oidcCallback, oidcResponse, samlCallback, samlResponse, ssoKey } from '../support/sso.js';

let service: Service;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  key = await ssoKey(service, account);
});
afterAll(() => service.close());

const signOn = async (subject: string, { on = service, as = key } = {}) =>
  samlCallback(on, as, await samlResponse(on, as, subject));
const userOf = (reply: Reply): string => {
  expect(reply.status, reply.text).toBe(200);
  return decodeJwt(reply.body.accessToken).sub as string;
};
const read = async (userId: string) =>
  (
    await service.db.query(sql`select full_name, external_id, status, updated_at from tenant_users
      where tenant_id = ${account.tenantId} and id = ${userId}`)
  )[0];
const createUser = async (body: object): Promise<string> =>
  (await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'B', ...body } })).body.user
    .id;
const change = (userId: string, body: object) =>
  service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body });

describe('a sign-on', () => {
  it('never returns an existing user with the same externalId, and creates a user without one [sso/who-signed-on]', async () => {
    const active = await createUser({ externalId: 'active' });
    const inactive = await createUser({ externalId: 'inactive' });
    await change(inactive, { status: 'inactive' });
    const person = await registerPerson(service, account.key, { externalId: 'registered' });
    const existing = { active, inactive, registered: person.userId };
    for (const [subject, other] of Object.entries(existing)) {
      const before = await read(other);
      const userId = userOf(await signOn(subject));
      expect(userId).not.toBe(other);
      expect(await read(userId)).toMatchObject({ full_name: subject, external_id: null, status: 'active' });
      expect(await read(other)).toEqual(before);
      expect(userOf(await signOn(subject)), 'the second time').toBe(userId);
    }
  });

  it('returns the same user by SAML and OIDC, and a different user in the other environment', async () => {
    const userId = userOf(await signOn('both'));
    expect(userOf(await oidcCallback(service, key, await oidcResponse(service, key, 'both')))).toBe(userId);
    const test = await ssoKey(service, account, 'test');
    expect(userOf(await signOn('both', { as: test }))).not.toBe(userId);
  });

  it('returns the same user after an externalId is assigned, and never matches by it', async () => {
    const userId = userOf(await signOn('before'));
    expect((await change(userId, { externalId: 'after' })).status).toBe(200);
    expect(userOf(await signOn('before'))).toBe(userId);
    expect(userOf(await signOn('after'))).not.toBe(userId);
  });

  it('is rejected if the user is inactive or has an identity, and creates no second user [sso/who-signed-on]', async () => {
    const count = async () =>
      (await service.db.query(sql`select 1 from tenant_users where tenant_id = ${account.tenantId}`)).length;
    const first = await signOn('leaver');
    const leaver = userOf(first);
    const mover = userOf(await signOn('mover'));
    await change(leaver, { status: 'inactive' });
    const { did, commitment } = createIdentity();
    const body = { did, commitment, externalId: 'mover' };
    const registered = await service.call('POST', '/v1/identity/register', { as: account.key, body });
    expect(registered.body.userId).toBe(mover);
    const users = await count();
    for (const subject of ['leaver', 'mover']) {
      const reply = await signOn(subject);
      expect([reply.status, reply.body.error]).toEqual([401, 'sso_failed']);
    }
    expect(await count()).toBe(users);
    const headers = { 'x-session-token': first.body.accessToken };
    expect((await service.call('GET', '/v1/identity/me', { as: key, headers })).status).toBe(401);
    await change(leaver, { status: 'active' });
    expect(userOf(await signOn('leaver'))).toBe(leaver);
  });

  it('creates one user when several first sign-ons are simultaneous on two nodes', async () => {
    const other = await startService({ clock: service.clock });
    try {
      const nodes = [service, other, service, other];
      const responses = await Promise.all(nodes.map((on) => samlResponse(on, key, 'everywhere')));
      const replies = await Promise.all(
        responses.map((response, at) => samlCallback(nodes[at]!, key, response)),
      );
      expect(new Set(replies.map(userOf)).size).toBe(1);
    } finally {
      await other.close();
    }
  });
});

describe('the migration of earlier sign-ons', () => {
  const before = sql`drop table sso_identities`;

  const unapply = sql`delete from schema_migrations where name = '0009_sso_identities'`;

  it('links the users that signed on, and no others [sso/who-signed-on]', { tags: ['ci'] }, async () => {
    const { db } = await emptyDatabase();
    const migrations = await readMigrations(migrationsFolder);
    await migrate(db, migrations);
    const old = await startService({ db });
    const own = await old.signUp({ plan: 'enterprise' });
    const as = await ssoKey(old, own);
    const post = (path: string, body: object) => old.call('POST', path, { as: own.key, body });
    const there = { on: old, as };
    const [ann, bob] = [userOf(await signOn('ann', there)), userOf(await signOn('bob', there))];
    await signOn('ann', there);
    await old.call('PATCH', `/v1/users/${bob}`, { as: own.key, body: { status: 'inactive' } });
    expect((await signOn('bob', there)).status).toBe(401);
    const { user } = (await post('/v1/users', { fullName: 'C', externalId: 'carol' })).body;
    const recorded = await post('/v1/verifications', { userId: user.id, method: 'saml', result: 'pass' });
    expect(recorded.status).toBe(201);

    const identities = () =>
      db.query(sql`select subject, user_id, connection, environment, created_at
      from sso_identities where tenant_id = ${own.tenantId} order by subject`);
    const at = new Date(old.clock.now());
    const demo = { connection: 'demo', environment: 'live', created_at: at };
    const expected = [
      { subject: 'ann', user_id: ann, ...demo },
      { subject: 'bob', user_id: bob, ...demo },
    ];
    expect(await identities()).toEqual(expected);
    for (const statement of [before, unapply]) await db.query(statement);
    expect(await migrate(db, migrations)).toEqual(['0009_sso_identities']);
    expect(await identities()).toEqual(expected);
    expect(userOf(await signOn('ann', there))).toBe(ann);
    expect((await signOn('bob', there)).status).toBe(401);
    expect(userOf(await signOn('carol', there))).not.toBe(user.id);
    await old.close();
    await db.close();
  });
});
