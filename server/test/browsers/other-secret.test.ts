import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { createKey, type Opened, type TestKey } from '../support/oidc/browser-key.js';
import * as support from '../support/oidc/new-browser.js';
import {
  approveOnPhone,
  CALLBACK,
  createClient,
  discover,
  type OidcService,
  startOidc,
} from '../support/oidc/oidc.js';
import { phone, proveForPairing, setPolicy } from '../support/pairing.js';
import type { Person } from '../support/phone.js';
import { openRecovery, runJob } from '../support/recoveries.js';
import { addPhone, rotatePhone } from '../support/several-phones.js';

const POLICY = {
  new_browser: 'nearby_or_same_device',
  protect_identities: true,
  recovery_cooldown_hours: 0,
};

let oidc: OidcService;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  oidc = await startOidc();
  config = await discover(oidc, await createClient(oidc));
});
beforeEach(async () => {
  // The limit of codes in a minute is not the subject.
  oidc.service.clock.advance(60_000);
  await setPolicy(oidc.service, oidc.account, POLICY);
});
afterAll(() => oidc.close());

/** A session on the phone itself that was approved, and not completed yet. */
async function approvedHere(person: Person, key: TestKey) {
  const { page } = await support.beginSignIn(oidc, config, key);
  const session = await page.open({ sameDevice: true });
  const use = { tenantId: oidc.account.tenantId, sessionId: session.id, nonce: session.nonce };
  const reply = await phone(oidc.service, session.id, 'submit', await proveForPairing(person, use));
  expect(reply.status, reply.text).toBe(200);
  return () => page.complete(session, { returnCode: reply.body.returnCode });
}

/** A sign-in on the phone makes a browser known. */
async function makeKnown(person: Person): Promise<TestKey> {
  const key = createKey();
  const done = await (await approvedHere(person, key))();
  expect(done.status, done.text).toBe(200);
  return key;
}

/** The state of a sign-in with a code that the person's phone approved: `bound` in a known browser. */
async function stateIn(key: TestKey, person: Person): Promise<string> {
  const { page } = await support.beginSignIn(oidc, config, key);
  const session: Opened = await page.open();
  const reply = await approveOnPhone(oidc, person, session);
  return reply.body.session?.state ?? reply.body.error;
}

const call = (method: string, path: string, body?: object) =>
  oidc.service.call(method, path, { as: oidc.account.key, ...(body && { body }) });
const idsOf = async ({ userId }: Person): Promise<string[]> =>
  (await call('GET', `/v1/users/${userId}/browsers`)).body.browsers.map(({ id }: Opened) => id);
const rowsOf = ({ userId }: Person) =>
  oidc.service.db.query(sql`select id from known_browsers where user_id = ${userId}`);
const forgotten = (id: string) =>
  oidc.service.db.query<{ metadata: object }>(sql`select metadata from audit_events
    where tenant_id = ${oidc.account.tenantId} and action = 'browser.forgotten' and entity_id = ${id}`);
const NEW = 'new_browser_refused';

describe('a browser that a phone made known', () => {
  it('is forgotten when the phone’s secret is changed, in the same write, and those of other phones are not [browser.forgotten] [POST /v1/identity/rotate] [browsers/what-makes-a-browser-known]', async () => {
    const person = await oidc.person();
    const second = await addPhone(oidc.service, oidc.account, person);
    const kept = await makeKnown(second);
    const [keptId] = await idsOf(person);
    const key = await makeKnown(person);
    expect(await stateIn(key, person)).toBe('bound');
    const [id = ''] = (await idsOf(person)).filter((each) => each !== keptId);
    const { renewed } = await rotatePhone(oidc.service, oidc.account, person);
    expect(await idsOf(person)).toEqual([keptId]);
    expect(await rowsOf(person)).toHaveLength(1);
    expect(await forgotten(id)).toEqual([{ metadata: { by: 'identity' } }]);
    expect(await stateIn(key, renewed)).toBe(NEW);
    expect(await stateIn(kept, renewed)).toBe('bound');
    // It is made known again by the new secret.
    await (await approvedHere(renewed, key))();
    expect(await stateIn(key, renewed)).toBe('bound');
  });

  it('is forgotten when the phone is revoked [POST /v1/identity/revoke] [browsers/what-makes-a-browser-known]', async () => {
    const person = await oidc.person();
    const second = await addPhone(oidc.service, oidc.account, person);
    const key = await makeKnown(person);
    const [id = ''] = await idsOf(person);
    await call('POST', '/v1/identity/revoke', { did: person.did });
    expect(await rowsOf(person)).toEqual([]);
    expect(await forgotten(id)).toEqual([{ metadata: { by: 'identity' } }]);
    expect(await stateIn(key, second)).toBe(NEW);
  });

  it('is forgotten with all others of the person when a recovery is completed [browsers/what-makes-a-browser-known]', async () => {
    const person = await oidc.person();
    const second = await addPhone(oidc.service, oidc.account, person);
    const keys = [await makeKnown(person), await makeKnown(second)];
    const ids = await idsOf(person);
    const { tenantId } = oidc.account;
    const recoverer = await oidc.service.createKey(oidc.account, 'live', ['users:write', 'users:recover']);
    const { c } = await openRecovery(oidc.service, oidc.account, person.userId, { as: recoverer });
    await runJob(oidc.service);
    expect(await rowsOf(person)).toEqual([]);
    for (const id of ids) expect(await forgotten(id)).toEqual([{ metadata: { by: 'identity' } }]);
    const recovered = { ...c.identity, userId: person.userId, tenantId };
    for (const key of keys) expect(await stateIn(key, recovered)).toBe(NEW);
  });

  it('from before its identity was stored, or with another secret in the database, is not known [browsers/what-makes-a-browser-known]', async () => {
    const person = await oidc.person();
    const key = await makeKnown(person);
    const { db } = oidc.service;
    await db.query(sql`update known_browsers set commitment = '00' where user_id = ${person.userId}`);
    expect(await stateIn(key, person)).toBe(NEW);
    await db.query(
      sql`update known_browsers set identity_id = null, commitment = null where user_id = ${person.userId}`,
    );
    expect(await stateIn(key, person)).toBe(NEW);
    expect(await idsOf(person)).toEqual([]);
    await (await approvedHere(person, key))();
    expect(await stateIn(key, person)).toBe('bound');
    expect(await rowsOf(person)).toHaveLength(1);
  });
});

describe('a sign-in that was approved', () => {
  it('is not completed after the secret was changed or the phone revoked, and makes no browser known [POST /sign-in/:uid/complete] [openid/approved-with-an-old-secret]', async () => {
    for (const end of [
      (person: Person) => rotatePhone(oidc.service, oidc.account, person),
      ({ did }: Person) => call('POST', '/v1/identity/revoke', { did }),
    ]) {
      const person = await oidc.person();
      const complete = await approvedHere(person, createKey());
      await end(person);
      const done = await complete();
      expect([done.status, JSON.parse(done.text).error]).toEqual([409, 'sign_in_not_approved']);
      expect(await rowsOf(person)).toEqual([]);
    }
  });

  it('gives the application no code if the secret is changed between completing and returning [openid/approved-with-an-old-secret]', async () => {
    const person = await oidc.person();
    const { browser, page } = await support.beginSignIn(oidc, config);
    const session = await page.open({ sameDevice: true });
    const use = { tenantId: oidc.account.tenantId, sessionId: session.id, nonce: session.nonce };
    const reply = await phone(oidc.service, session.id, 'submit', await proveForPairing(person, use));
    const done = await page.complete(session, { returnCode: reply.body.returnCode });
    const { redirectTo } = JSON.parse(done.text);
    await rotatePhone(oidc.service, oidc.account, person);
    const back = await browser.open(redirectTo);
    const code =
      back.location?.startsWith(CALLBACK) === true && new URL(back.location).searchParams.has('code');
    expect(code).toBe(false);
  });
});
