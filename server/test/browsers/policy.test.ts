import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { endEverything } from '../../src/features/restore/ending.js';
import { enrolPasskey } from '../support/attestation.js';
import { createKey, pageWithKey } from '../support/oidc/browser-key.js';
import {
  approveOnPhone,
  authorization,
  createClient,
  discover,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { openPairing, poll, proveForPairing, setPolicy, submit } from '../support/pairing.js';

const NEARBY = { new_browser: 'nearby_or_same_device' };

let oidc: OidcService;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  oidc = await startOidc();
  config = await discover(oidc, await createClient(oidc));
});
afterAll(() => oidc.close());

const begin = async () => {
  const browser = oidc.browser();
  const uid = uidOf(await browser.open((await authorization(config)).url));
  return pageWithKey(oidc, browser, uid, createKey());
};
const policy = (fields: object) => setPolicy(oidc.service, oidc.account, fields);
const open = (body: object = {}) =>
  oidc.service.call('POST', '/v1/proof-pairing/sessions', { as: oidc.account.key, body });

describe('`new_browser` of the security policy', () => {
  it('`number` asks for the number everywhere but on the same device [browsers/new-browsers]', async () => {
    const origin = 'https://app.example.com';
    await policy({ new_browser: 'number', origins: [origin] });
    expect((await open()).body.session.matchCode).toMatch(/^[0-9]{2}$/);
    expect((await open({ match: 'off' })).body.session.matchCode).toMatch(/^[0-9]{2}$/);
    const here = await open({ sameDevice: true, returnUrl: `${origin}/back` });
    expect([here.status, here.body.session.matchCode]).toEqual([201, undefined]);
    // The hosted page has a number anyway, and no browser of it waits.
    const page = await begin();
    const session = await page.open();
    const reply = await approveOnPhone(oidc, await oidc.person(), session);
    expect(reply.body.session.state).toBe('bound');
  });

  it('ends the open sessions that ask for less, and leaves the others [PUT /api/console/security-policy] [browsers/new-browsers]', async () => {
    await policy({});
    const plain = await openPairing(oidc.service, oidc.account.key);
    const numbered = await openPairing(oidc.service, oidc.account.key, undefined, { match: 'type' });
    const page = await begin();
    const [keyless, keyed] = [JSON.parse((await page.post('session', {})).text).session, await page.open()];
    const state = async (id: string) =>
      (await oidc.service.call('GET', `/v1/proof-pairing/sessions?id=${id}`, { as: oidc.account.key })).body
        .sessions[0].state;
    await policy({ new_browser: 'number' });
    expect((await poll(oidc.service, oidc.account.key, plain)).body.session.state).toBe('expired');
    expect((await poll(oidc.service, oidc.account.key, numbered)).body.session.state).toBe('issued');
    expect(await state(keyless.id)).toBe('issued');
    await policy(NEARBY);
    expect((await poll(oidc.service, oidc.account.key, numbered)).body.session.state).toBe('expired');
    expect(await state(keyless.id)).toBe('expired');
    expect(await state(keyed.id)).toBe('issued');
    const person = await oidc.person();
    await enrolPasskey(oidc.service, oidc.account, person, { origin: oidc.baseUrl });
    const reply = await approveOnPhone(oidc, person, keyed);
    expect(reply.body.session.state).toBe('proved');
  });

  it('rejects the proof of a session that a node of the version before has opened for less [browsers/new-browsers]', async () => {
    await policy({});
    const person = await oidc.person();
    const { id, nonce } = await openPairing(oidc.service, oidc.account.key);
    // Not by the endpoint, which ends the session.
    await oidc.service.db.query(
      sql`update tenants set security_policy = ${JSON.stringify(NEARBY)}::jsonb where id = ${oidc.account.tenantId}`,
    );
    const body = await proveForPairing(person, { tenantId: oidc.account.tenantId, sessionId: id, nonce });
    const reply = await submit(oidc.service, oidc.account.key, id, body);
    expect([reply.status, reply.body.error]).toEqual([410, 'pairing_session_expired']);
    await policy({});
  });

  it.each(['number', 'nearby_or_same_device'])(
    '`%s` turns the device flow off [POST /oidc/:tenantId/:environment/device/auth] [browsers/new-browsers]',
    async (value) => {
      const body = { type: 'device', redirectUris: [], tokenEndpointAuth: 'none' };
      const { clientId } = await createClient(oidc, body);
      const start = () =>
        oidc.service.call('POST', `/oidc/${oidc.account.tenantId}/live/device/auth`, {
          raw: `client_id=${clientId}&scope=openid`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
      await policy({});
      expect((await start()).status).toBe(200);
      await policy({ new_browser: value });
      expect((await start()).status).toBe(400);
      await policy({});
    },
  );

  it('has no CIBA to refuse, because the provider does not offer it [browsers/enrolled-devices]', async () => {
    const { body: discovery } = await oidc.service.call(
      'GET',
      `/oidc/${oidc.account.tenantId}/live/.well-known/openid-configuration`,
    );
    expect(discovery).not.toHaveProperty('backchannel_authentication_endpoint');
    expect(discovery.grant_types_supported).not.toContain('urn:openid:params:grant-type:ciba');
  });

  it('is one of three values [PATCH /api/console/security-policy] [browsers/new-browsers]', async () => {
    for (const value of ['deny', '', null, true, 'Allow'])
      expect((await policy({ new_browser: value })).status).toBe(400);
    for (const value of ['allow', 'number', 'nearby_or_same_device'])
      expect((await policy({ new_browser: value })).status).toBe(200);
    await policy({});
  });
});

it('a restore forgets the browsers of the backup [browsers/after-a-restore]', async () => {
  const person = await oidc.person();
  const { db, app } = oidc.service;
  const { tenantId } = oidc.account;
  for (const key of ['a', 'b'])
    await db.query(sql`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, how, created_at,
        last_used_at)
      values (${tenantId}, 'live', gen_random_uuid(), ${person.userId}, ${key}, '{}', 'nearby', now(), now())`);
  await endEverything(app.deps, { tenantId, environment: 'live' });
  expect(await db.query(sql`select 1 from known_browsers where tenant_id = ${tenantId}`)).toEqual([]);
});
