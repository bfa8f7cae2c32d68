import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { enrolPasskey } from '../support/attestation.js';
import { enrolWithKey, signedBody } from '../support/device-keys.js';
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
import { openPairing, type Pairing, proveForPairing, scanOf, setPolicy, submit } from '../support/pairing.js';
import { type Person, registerPerson } from '../support/phone.js';
import { startService } from '../support/service.js';

const REACH = '/api/console/security-policy/reach';
const ORIGIN = 'https://app.example.com';

let oidc: OidcService;
beforeAll(async () => {
  oidc = await startOidc();
  await setPolicy(oidc.service, oidc.account, { origins: [ORIGIN] });
});
afterAll(() => oidc.close());

const reach = async () => (await oidc.service.call('GET', REACH, { as: oidc.account.token })).body;

/** A sign-in that an API key opened. */
async function signIn(person: Person, body: object) {
  const { service, account } = oidc;
  const {
    id: sessionId,
    nonce,
    ...shown
  }: Pairing = await openPairing(service, account.key, undefined, body);
  const { matchCode } = shown;
  const use = { tenantId: account.tenantId, sessionId, nonce, ...(matchCode && { matchCode }) };
  const reply = await submit(service, account.key, sessionId, {
    ...(await proveForPairing(person, use)),
    ...(matchCode && scanOf(shown)),
  });
  expect(reply.status, reply.text).toBe(200);
}

/** A sign-in on the hosted page, in a browser that keeps a key or none. */
async function signInHosted(person: Person, keepsKey: boolean) {
  const browser = oidc.browser();
  const config = await discover(oidc, await createClient(oidc));
  const uid = uidOf(await browser.open((await authorization(config)).url));
  const page = pageWithKey(oidc, browser, uid, createKey());
  const session = keepsKey ? await page.open() : JSON.parse((await page.post('session', {})).text).session;
  await approveOnPhone(oidc, person, session);
}

it('counts people and phones that are in force, with and without a passkey [GET /api/console/security-policy/reach] [console/reach-of-a-policy]', async () => {
  const service = await startService();
  const account = await service.signUp();
  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { as: account.key, ...(body && { body }) });
  const reach = async (environment = 'live') =>
    (await service.call('GET', `${REACH}?environment=${environment}`, { as: account.token })).body;
  const people = [];
  for (let at = 0; at < 5; at += 1) people.push(await registerPerson(service, account.key));
  const [one, two, gone, lost, dropped] = people as [Person, Person, Person, Person, Person];
  for (const person of [one, gone, lost]) await enrolPasskey(service, account, person);
  const { keyId } = await enrolPasskey(service, account, dropped);
  await call('DELETE', `/v1/attestation/keys/${keyId}`);
  await call('PATCH', `/v1/users/${gone.userId}`, { status: 'inactive' });
  await call('POST', '/v1/identity/revoke', { did: lost.did });
  const counts = { environment: 'live', people: 3, withPasskey: 1, phones: 3, phonesWithPasskey: 1 };
  expect(await reach()).toMatchObject(counts);
  expect(await reach('test')).toMatchObject({ people: 0, withPasskey: 0, phones: 0, phonesWithPasskey: 0 });
  await enrolPasskey(service, account, two);
  expect(await reach()).toMatchObject({ ...counts, withPasskey: 2, phonesWithPasskey: 2 });
  await service.close();
});

it('counts the sign-ins of the last 30 days that a stricter policy rejects, and no others [console/reach-of-a-policy]', async () => {
  const person = await oidc.person();
  const device = await enrolWithKey(oidc.service, oidc.account);
  await openPairing(oidc.service, oidc.account.key);
  await signIn(person, {});
  await signIn(person, { match: 'type' });
  await signIn(person, { sameDevice: true, returnUrl: `${ORIGIN}/back` });
  await signIn(person, signedBody(device, oidc.service));
  await signInHosted(person, true);
  await signInHosted(person, false);
  const expected = { total: 6, withoutNumber: 1, byApiKey: 2, withoutBrowserKey: 1, deviceFlow: 0 };
  expect((await reach()).signIns).toEqual(expected);
  const { tenantId } = oidc.account;
  await oidc.service.db.query(sql`update proof_pairing_sessions set context = '{"device": {}}' where tenant_id = ${tenantId}
    and purpose = 'oidc' and browser_thumbprint is null`);
  expect((await reach()).signIns).toEqual({ ...expected, withoutBrowserKey: 0, deviceFlow: 1 });
  await oidc.service.db.query(sql`update proof_pairing_sessions set created_at = created_at - interval '31 days'
    where tenant_id = ${tenantId}`);
  expect((await reach()).signIns.total).toBe(0);
});

it('counts the applications that use the device flow', async () => {
  expect((await reach()).deviceApplications).toBe(0);
  await createClient(oidc, { type: 'device', redirectUris: [], tokenEndpointAuth: 'none' });
  expect((await reach()).deviceApplications).toBe(1);
});
