import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { createKey, type Opened, type TestKey } from '../support/oidc/browser-key.js';
import { beginSignIn } from '../support/oidc/new-browser.js';
import { approveOnPhone, createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';
import { phone, proveForPairing } from '../support/pairing.js';
import type { Person } from '../support/phone.js';
import { freshAddress } from '../support/service.js';
import { accountOf, proveBrowsers, proveForgetBrowser, proveIdentities } from '../support/several-phones.js';

const DAY_MS = 24 * 60 * 60_000;

let oidc: OidcService;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  oidc = await startOidc();
  config = await discover(oidc, await createClient(oidc));
});
afterAll(() => oidc.close());

const begin = async (key: TestKey) => (await beginSignIn(oidc, config, key)).page;

/** Approves a session on the phone that it was opened on. */
async function approveHere(person: Person, { id: sessionId, nonce }: Opened): Promise<string> {
  const use = { tenantId: oidc.account.tenantId, sessionId, nonce };
  const reply = await phone(oidc.service, sessionId, 'submit', await proveForPairing(person, use));
  if (reply.status !== 200) throw new Error(`approving returned ${reply.status} ${reply.text}`);
  return reply.body.returnCode;
}

/** A sign-in on the phone itself. */
async function signInHere(person: Person, key: TestKey = createKey()): Promise<TestKey> {
  const page = await begin(key);
  const session = await page.open({ sameDevice: true });
  const done = await page.complete(session, { returnCode: await approveHere(person, session) });
  expect(done.status, done.text).toBe(200);
  return key;
}

const call = (method: string, path: string, body?: object) =>
  oidc.service.call(method, path, { as: oidc.account.key, ...(body && { body }) });
const listOf = async (person: Person) =>
  (await call('GET', `/v1/users/${person.userId}/browsers`)).body.browsers;
const rowsOf = ({ userId }: Person) =>
  oidc.service.db.query<{ id: string }>(sql`select id from known_browsers where user_id = ${userId}`);
const forgotten = async (id: string) =>
  oidc.service.db.query<{ metadata: object }>(sql`select metadata from audit_events
    where tenant_id = ${oidc.account.tenantId} and action = 'browser.forgotten' and entity_id = ${id}`);
/** As if the person had used them one after another, the first one longest ago. */
const insertMany = async (person: Person, count: number) => {
  for (let at = 0; at < count; at += 1) await signInHere(person);
};

describe('a browser on the phone itself', () => {
  it('is known when its return code is redeemed with its signature, never before [POST /sign-in/:uid/complete] [browsers/same-device]', async () => {
    const person = await oidc.person();
    const page = await begin(createKey());
    const session = await page.open({ sameDevice: true });
    const returnCode = await approveHere(person, session);
    expect(await rowsOf(person)).toEqual([]);
    const { id: sessionId } = session;
    const unsigned = await page.post('complete', { sessionId, returnCode });
    expect(unsigned.status).toBe(401);
    const complete = { browser: page.signed('complete', session) };
    expect((await page.post('complete', { sessionId, returnCode, ...complete })).status).toBe(401);
    const wrong = await page.complete(session, { returnCode: 'A'.repeat(43) });
    expect(wrong.status).toBe(409);
    expect(await rowsOf(person)).toEqual([]);
    const both = await Promise.all([1, 2].map(() => page.complete(session, { returnCode })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await listOf(person)).toMatchObject([{ how: 'same_device' }]);
  });

  it('is not known after a sign-in with a code and a number, also with a return code that was made up [browsers/same-device]', async () => {
    const person = await oidc.person();
    const page = await begin(createKey());
    const session = await page.open();
    expect((await approveOnPhone(oidc, person, session)).status).toBe(200);
    const made = await page.complete(session, { returnCode: 'A'.repeat(43) });
    expect(made.status).toBe(401);
    const signed = { browser: page.signed('complete', session), returnCode: 'A'.repeat(43) };
    expect((await page.complete(session, signed)).status).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
  });

  it('is used again by each later sign-in, and is one browser [browsers/same-device]', async () => {
    const person = await oidc.person();
    const key = await signInHere(person);
    const [before] = await listOf(person);
    oidc.service.clock.advance(60_000);
    await signInHere(person, key);
    oidc.service.clock.advance(60_000);
    const page = await begin(key);
    const session = await page.open();
    await approveOnPhone(oidc, person, session);
    await page.complete(session);
    const [after, ...others] = await listOf(person);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ id: before.id, createdAt: before.createdAt });
    expect(Date.parse(after.lastUsedAt) - Date.parse(before.lastUsedAt)).toBeGreaterThanOrEqual(120_000);
  });
});

describe('a browser that asks to be forgotten', () => {
  // The limit of codes in a minute is not the subject.
  afterAll(() => void oidc.service.clock.advance(61_000));

  const textOf = (environment: string, tenantId = oidc.account.tenantId) =>
    ['svc-browser-v1', 'forget', tenantId, environment].join('|');
  const send = (key: TestKey, text = textOf('live'), body: object = {}) =>
    oidc.service.call('POST', '/sign-in/browser/forget', {
      body: {
        tenantId: oidc.account.tenantId,
        environment: 'live',
        browser: { jwk: key.jwk, signature: key.sign(text) },
        ...body,
      },
      address: freshAddress(),
    });
  const errorOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error];

  it('is forgotten for each of its people, once, and for nobody’s other browsers [POST /sign-in/browser/forget] [browser.forgotten] [browsers/forgetting-a-browser]', async () => {
    const [person, other] = [await oidc.person(), await oidc.person()];
    const key = await signInHere(person);
    await signInHere(other, key);
    const kept = await signInHere(other);
    const [{ id }] = await listOf(person);
    const replies = await Promise.all([1, 2].map(() => send(key)));
    expect(replies.map(({ body }) => body.forgotten).sort()).toEqual([0, 2]);
    expect(await listOf(person)).toEqual([]);
    expect(await listOf(other)).toHaveLength(1);
    expect(await forgotten(id)).toEqual([{ metadata: { by: 'browser' } }]);
    expect((await send(kept)).body).toEqual({ forgotten: 1 });
  });

  it('refuses another text, another key and another account, and changes nothing [browsers/forgetting-a-browser]', async () => {
    const person = await oidc.person();
    const key = await signInHere(person);
    const stranger = createKey();
    const elsewhere = crypto.randomUUID();
    const wrong = [
      await send(key, textOf('test')),
      await send(key, textOf('live', elsewhere)),
      await send(key, `${textOf('live')}|`),
      await send(key, textOf('live').replace('forget', 'open')),
      await send(stranger, textOf('live'), {
        browser: { jwk: key.jwk, signature: stranger.sign(textOf('live')) },
      }),
    ];
    for (const reply of wrong) expect(errorOf(reply)).toEqual([401, 'browser_signature_invalid']);
    const unknown = [
      await send(key, textOf('test'), { environment: 'test' }),
      await send(key, textOf('live', elsewhere), { tenantId: elsewhere }),
      await send(stranger),
    ];
    for (const reply of unknown) expect([reply.status, reply.body]).toEqual([200, { forgotten: 0 }]);
    expect(await listOf(person)).toHaveLength(1);
  });
});

describe('the phone of a person', () => {
  const use = () => ({ tenantId: oidc.account.tenantId });
  const send = (action: string, body: object) =>
    oidc.service.call('POST', `/v1/phone/browsers/${action}`, {
      body: { ...accountOf(use()), ...body },
      address: freshAddress(),
    });
  const list = async (person: Person) => send('list', await proveBrowsers(oidc.service, person, use()));
  const forget = async (person: Person, browserId: string) =>
    send('forget', {
      ...(await proveForgetBrowser(oidc.service, person, browserId, use())),
      browserId,
    });

  it('lists and forgets the browsers of that person, and no others [POST /v1/phone/browsers/list] [POST /v1/phone/browsers/forget] [browsers/browsers-on-the-phone]', async () => {
    const [person, other] = [await oidc.person(), await oidc.person()];
    await signInHere(person);
    const [browser] = await listOf(person);
    expect((await list(person)).body).toEqual({ browsers: [browser] });
    expect((await list(other)).body).toEqual({ browsers: [] });
    expect((await forget(other, browser.id)).body.error).toBe('browser_not_found');
    expect(await listOf(person)).toEqual([browser]);
    expect((await forget(person, browser.id.toUpperCase())).body).toEqual({ browser });
    expect(await listOf(person)).toEqual([]);
    expect((await forget(person, browser.id)).body.error).toBe('browser_not_found');
    expect(await forgotten(browser.id)).toMatchObject([{ metadata: { by: 'phone' } }]);
  });

  it('needs a proof for exactly this: of the list or of another browser is the uniform 401 [browsers/browsers-on-the-phone]', async () => {
    const person = await oidc.person();
    await signInHere(person);
    const [browser] = await listOf(person);
    const bodies = [
      await proveBrowsers(oidc.service, person, use()),
      await proveIdentities(oidc.service, person, use()),
      await proveForgetBrowser(oidc.service, person, crypto.randomUUID(), use()),
    ];
    for (const body of bodies) {
      const reply = await send('forget', { ...body, browserId: browser.id });
      expect([reply.status, reply.body.error]).toEqual([401, 'verification_failed']);
    }
    expect((await send('list', bodies[1] as object)).status).toBe(401);
    const proof = await proveForgetBrowser(oidc.service, person, browser.id, use());
    expect((await send('forget', { ...proof, browserId: browser.id })).status).toBe(200);
    expect((await send('forget', { ...proof, browserId: browser.id })).status).toBe(401);
  });
});

describe('a known browser', () => {
  it('is listed and forgotten by the account, and by no other [GET /v1/users/:userId/browsers] [DELETE /v1/browsers/:id] [browsers/known-browsers]', async () => {
    const person = await oidc.person();
    await signInHere(person);
    const [browser] = await listOf(person);
    expect(browser).toMatchObject({ how: 'same_device', createdAt: browser.lastUsedAt });
    const other = await oidc.service.signUp();
    const foreign = (method: string, path: string) => oidc.service.call(method, path, { as: other.key });
    expect((await foreign('GET', `/v1/users/${person.userId}/browsers`)).body.error).toBe('user_not_found');
    expect((await foreign('DELETE', `/v1/browsers/${browser.id}`)).body.error).toBe('browser_not_found');
    const reply = await call('DELETE', `/v1/browsers/${browser.id}`);
    expect(reply.body).toEqual({ browser });
    expect((await call('DELETE', `/v1/browsers/${browser.id}`)).body.error).toBe('browser_not_found');
    expect(await listOf(person)).toEqual([]);
    expect(await forgotten(browser.id)).toMatchObject([{ metadata: { by: 'account' } }]);
  });

  it('is one of twenty: with one more, the one that was unused for longest is forgotten [browsers/known-browsers]', async () => {
    const person = await oidc.person();
    await insertMany(person, 20);
    const rows = await listOf(person);
    expect(rows).toHaveLength(20);
    const oldest = rows[10].id;
    await oidc.service.db.query(
      sql`update known_browsers set last_used_at = last_used_at - interval '1 day' where id = ${oldest}`,
    );
    await signInHere(person);
    const after = (await listOf(person)).map(({ id }: Opened) => id);
    expect(after).toHaveLength(20);
    expect(after).not.toContain(oldest);
    expect(await forgotten(oldest)).toMatchObject([{ metadata: { by: 'limit' } }]);
  });

  it('is forgotten when it was unused for 180 days, also before the job has deleted it [browsers/known-browsers]', async () => {
    const person = await oidc.person();
    const key = await signInHere(person);
    const [{ id }] = await listOf(person);
    const ago = (ms: number) =>
      oidc.service.db.query(
        sql`update known_browsers set last_used_at = ${new Date(oidc.service.clock.now() - ms)} where id = ${id}`,
      );
    await ago(180 * DAY_MS);
    expect(await listOf(person)).toHaveLength(1);
    await ago(180 * DAY_MS + 1);
    expect(await listOf(person)).toEqual([]);
    const { db } = oidc.service.app.deps;
    await signInHere(person, key);
    const [again] = await listOf(person);
    expect(again.id).not.toBe(id);
    await oidc.service.db.query(
      sql`update known_browsers set last_used_at = ${new Date(oidc.service.clock.now() - 181 * DAY_MS)} where id = ${again.id}`,
    );
    await deleteExpired({ db, clock: oidc.service.clock, signal: new AbortController().signal });
    expect(await rowsOf(person)).toEqual([]);
  });

  it('is forgotten with its person: deactivated or erased, and not known again when they are active [PATCH /v1/users/:userId] [browsers/known-browsers]', async () => {
    const person = await oidc.person();
    await signInHere(person);
    await call('PATCH', `/v1/users/${person.userId}`, { status: 'inactive' });
    await call('PATCH', `/v1/users/${person.userId}`, { status: 'active' });
    expect(await listOf(person)).toEqual([]);
    await signInHere(person);
    const reply = await oidc.service.call('POST', `/v1/users/${person.userId}/erase`, {
      session: oidc.account.token,
      body: {},
    });
    expect(reply.status, reply.text).toBe(200);
    expect(await rowsOf(person)).toEqual([]);
  });

  it('is in the export of its person, with its key [GET /v1/users/:userId/export] [browsers/known-browsers]', async () => {
    const person = await oidc.person();
    const key = await signInHere(person);
    const { text } = await call('GET', `/v1/users/${person.userId}/export`);
    expect(JSON.parse(text).browsers).toMatchObject([{ keyThumbprint: key.thumbprint, publicKey: key.jwk }]);
  });
});
