import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { ceremonyBefore, completeBody, completeCeremony, phone } from '../support/ceremony.js';
import { deviceToken, enrolWithKey } from '../support/device-keys.js';
import {
  authorization,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  signIn,
  startOidc,
} from '../support/oidc/oidc.js';
import type { Person } from '../support/phone.js';

let oidc: OidcService;
let made: NewClient;
let kiosk: string;
beforeAll(async () => {
  oidc = await startOidc();
  made = await createClient(oidc, { claims: { profile: true, email: true, groups: 'metadata.groups' } });
  kiosk = await deviceToken(oidc.service, await enrolWithKey(oidc.service, oidc.account));
});
afterAll(() => oidc.close());

/** What the application learns of a person. */
async function claimsOf(person: Person) {
  const config = await discover(oidc, made);
  const { url, checks } = await authorization(config, { scope: 'openid profile email groups' });
  const back = await signIn(oidc, oidc.browser(), url, person);
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  const user = await client.fetchUserInfo(config, tokens.access_token, person.userId);
  const { name, email, groups } = tokens.claims() as Record<string, unknown>;
  expect({ name: user.name, email: user.email, groups: user.groups }).toEqual({ name, email, groups });
  return { name, email, groups };
}

async function registered(profile: object, key = oidc.account.key) {
  const { c, reply } = await completeCeremony(oidc.service, oidc.account, { profile, key });
  return { ...c.identity, userId: reply.body.tenant_user.id as string, user: reply.body.tenant_user };
}

describe('a person that a device registered [users/what-a-device-says]', () => {
  it('has a name for applications, and an e-mail only once somebody confirmed it [POST /v1/registrations/complete] [PATCH /v1/users/:userId]', async () => {
    const person = await registered({ fullName: 'Ada Lovelace', email: 'root@example.com' }, kiosk);
    expect(person.user).toMatchObject({ email: 'root@example.com', emailFromDevice: true });
    expect(await claimsOf(person)).toEqual({ name: 'Ada Lovelace', email: undefined, groups: undefined });
    const confirmed = await oidc.service.call('PATCH', `/v1/users/${person.userId}`, {
      as: oidc.account.key,
      body: { email: 'root@example.com' },
    });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect((await claimsOf(person)).email).toBe('root@example.com');
  });

  it('gets nothing from what a version before let a device send', async () => {
    const { service, account } = oidc;
    const c = await ceremonyBefore(service, account, 'complete', { key: kiosk, profile: {} });
    const profile = JSON.stringify({ fullName: 'Ada', externalId: 'boss', groups: ['admins'] });
    await service.db.query(
      sql`update registration_sessions set profile = ${profile}::json where id = ${c.id}`,
    );
    const reply = await phone(service, 'complete', await completeBody(c));
    expect(reply.body.tenant_user).toMatchObject({ fullName: 'Ada', externalId: null, metadata: null });
    const person = { ...c.identity, userId: reply.body.tenant_user.id };
    expect(await claimsOf(person)).toEqual({ name: 'Ada', email: undefined, groups: undefined });
  });
});
