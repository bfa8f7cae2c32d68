import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { enrolPasskey } from '../support/attestation.js';
import type { Faults } from '../support/authenticator.js';
import { sharedDatabase } from '../support/database.js';
import { interruptibleWrites } from '../support/faults/before-write.js';
import type { Browser } from '../support/oidc/browser.js';
import { createKey, type Opened, pageWithKey, type TestKey } from '../support/oidc/browser-key.js';
import * as support from '../support/oidc/new-browser.js';
import { approveOnPhone, createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';
import { contextOf, phone, scanOf, setPolicy } from '../support/pairing.js';
import type { Person } from '../support/phone.js';
import { freshAddress } from '../support/service.js';
import { addPhone } from '../support/several-phones.js';

const NEARBY = { new_browser: 'nearby_or_same_device' };

let writes: ReturnType<typeof interruptibleWrites>;
let oidc: OidcService;
let config: Awaited<ReturnType<typeof discover>>;
beforeAll(async () => {
  writes = interruptibleWrites((await sharedDatabase()).db);
  oidc = await startOidc({ db: writes.db });
  config = await discover(oidc, await createClient(oidc));
});
afterAll(() => oidc.close());
beforeEach(async () => {
  // The limit of codes in a minute is not the subject.
  oidc.service.clock.advance(60_000);
  await setPolicy(oidc.service, oidc.account, NEARBY);
});

const begin = (key?: TestKey, browser?: Browser) => support.beginSignIn(oidc, config, key, browser);
const personWithPasskey = () => support.personWithPasskey(oidc);
const eventOf = (begun: Awaited<ReturnType<typeof begin>>, session: Opened) =>
  support.eventOf(oidc, begun, session);
const proved = (person: Person, key?: TestKey) => support.proveInNewBrowser(oidc, config, person, key);
type WithPasskey = Awaited<ReturnType<typeof personWithPasskey>>;

/** The entry of an approval, with the seals of the session and of the verification. */
const SEALED = {
  action: 'pairing.submit',
  metadata: { seal: expect.any(String), seal_verification: expect.any(String) },
};

/** Signs in beside the phone, and answers "Is this your computer?". */
async function signInNearby(person: WithPasskey, key: TestKey, remember: boolean) {
  const begun = await proved(person, key);
  const { data } = await eventOf(begun, begun.session);
  const bound = await begun.page.nearby(begun.session, person.passkey.beside(data.options));
  expect(bound.status, bound.text).toBe(200);
  expect(await auditOf(begun.session)).toMatchObject([SEALED]);
  const done = await begun.page.complete(begun.session, { remember });
  expect(done.status, done.text).toBe(200);
  return begun;
}

const listOf = async (person: Person) =>
  (await oidc.service.call('GET', `/v1/users/${person.userId}/browsers`, { as: oidc.account.key })).body
    .browsers;
const passesOf = (person: Person) =>
  oidc.service.db.query(
    sql`select 1 from verifications where tenant_id = ${oidc.account.tenantId} and user_id = ${person.userId} and result = 'pass'`,
  );
const failuresOf = ({ userId }: Person) =>
  oidc.service.db.query(
    sql`select reason from verifications where tenant_id = ${oidc.account.tenantId} and user_id = ${userId} and result = 'fail'`,
  );
/** The newest audit row of a session. */
const auditOf = ({ id }: Opened) =>
  oidc.service.db.query<{ action: string; metadata: Record<string, unknown> }>(
    sql`select action, metadata from audit_events where tenant_id = ${oidc.account.tenantId} and entity_id = ${id} order by seq desc limit 1`,
  );
const state = async ({ id }: Opened) =>
  (await oidc.service.call('GET', `/v1/proof-pairing/sessions?id=${id}`, { as: oidc.account.key })).body
    .sessions[0];

describe('a browser that is new to a person, with `nearby_or_same_device`', () => {
  it('gets nothing from a valid proof, and nothing is recorded as a pass [pairing.proved] [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const before = await passesOf(person);
    const { page, session, reply } = await proved(person);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      session: { id: session.id, state: 'proved', userId: person.userId, did: person.did },
      tokens: null,
    });
    expect(await state(session)).toMatchObject({ state: 'proved', userId: null, did: null, boundAt: null });
    expect(await passesOf(person)).toEqual(before);
    const open = await oidc.service.call('GET', `/v1/proof-pairing/sessions/${session.id}/public`);
    expect(open.body.state).toBe('issued');
    const done = await page.complete(session);
    expect(JSON.parse(done.text).error).toBe('sign_in_not_approved');
    const row = await oidc.service.db.query(
      sql`select bound_at, return_hash, desktop_session_id from proof_pairing_sessions where id = ${session.id}`,
    );
    expect(row).toEqual([{ bound_at: null, return_hash: null, desktop_session_id: null }]);
    const [audited] = await auditOf(session);
    expect(audited?.action).toBe('pairing.proved');
    expect(JSON.stringify(audited?.metadata)).not.toMatch(/pass|verificationId|seal/);
  });

  it('signs in beside the phone, and becomes known only if it is the person’s [browser.known] [POST /sign-in/:uid/nearby] [browsers/proved-and-waiting] [audit/seals-of-ended-sessions]', async () => {
    const person = await personWithPasskey();
    const key = createKey();
    const before = (await passesOf(person)).length;
    await signInNearby(person, key, false);
    expect(await listOf(person)).toEqual([]);
    expect(await passesOf(person)).toHaveLength(before + 1);
    await signInNearby(person, key, true);
    expect(await listOf(person)).toMatchObject([{ how: 'nearby' }]);
    const known = await proved(person, key);
    expect(known.reply.body.session.state).toBe('bound');
    expect(await auditOf(known.session)).toMatchObject([SEALED]);
    expect((await known.page.complete(known.session)).status).toBe(200);
    // To another person it is as new as before.
    const other = await personWithPasskey();
    expect((await proved(other, key)).reply.body.session.state).toBe('proved');
    const history = await oidc.service.db.query(sql`select action from audit_events
      where tenant_id = ${oidc.account.tenantId} and action = 'browser.known'`);
    expect(history.length).toBeGreaterThan(0);
  });

  it('gets what to ask the passkey for, with a challenge of this session and browser [GET /sign-in/:uid/stream] [browsers/proved-and-waiting]', async () => {
    const begun = await proved(await personWithPasskey());
    const event = await eventOf(begun, begun.session);
    expect(event).toMatchObject({ id: '2', event: 'session_needs_nearby', data: { state: 'proved' } });
    const { id, nonce } = begun.session;
    const text = `svc-nearby-v1|${oidc.account.tenantId}|live|${id}|${nonce}|${begun.key.thumbprint}`;
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text));
    expect(event.data.options).toMatchObject({
      challenge: Buffer.from(digest).toString('base64url'),
      rpId: '127.0.0.1',
      hints: ['hybrid'],
      userVerification: 'required',
    });
  });

  it('refuses an assertion for another session, one without the browser’s signature, and a second one [browsers/signatures] [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const first = await proved(person);
    const second = await proved(person);
    const { data } = await eventOf(first, first.session);
    const assertion = person.passkey.beside(data.options);
    const wrong = await second.page.nearby(second.session, assertion);
    expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([401, 'verification_failed']);
    const thief = pageWithKey(oidc, first.browser, first.uid, createKey());
    const stolen = await thief.nearby(first.session, assertion);
    expect([stolen.status, JSON.parse(stolen.text).error]).toEqual([401, 'browser_signature_invalid']);
    const replies = await Promise.all([1, 2, 3].map(() => first.page.nearby(first.session, assertion)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await first.page.nearby(first.session, assertion);
    expect([late.status, JSON.parse(late.text).error]).toEqual([409, 'sign_in_not_approved']);
  });

  const FAULTS: readonly (readonly [string, Faults])[] = [
    ['for another page', { origin: 'https://mirror.example.com' }],
    ['for another domain', { rpId: 'mirror.example.com' }],
    ['in a page that another one embeds', { crossOrigin: true }],
    ['of a page within another one', { topOrigin: 'https://mirror.example.com' }],
    ['without the screen lock', { isVerified: false }],
    ['without the person', { isPresent: false }],
    ['whose counter did not rise', { counter: 1 }],
    ['of another person', { userHandle: Buffer.from('m-of-a-member-of-ours').toString('base64url') }],
    ['for a creation', { type: 'webauthn.create' }],
    ['over another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ];

  it.each(FAULTS)(
    'refuses an assertion %s, and can go on with a right one [browsers/proved-and-waiting]',
    async (_, fault) => {
      const person = await personWithPasskey();
      const begun = await proved(person);
      const { data } = await eventOf(begun, begun.session);
      const refused = await begun.page.nearby(begun.session, person.passkey.beside(data.options, fault));
      expect([refused.status, JSON.parse(refused.text).error]).toEqual([401, 'verification_failed']);
      const [record] = await failuresOf(person);
      expect(record).toEqual({ reason: 'attestation' });
      const [row] = await auditOf(begun.session);
      expect(row).toMatchObject({
        action: 'pairing.submit',
        metadata: { nearby: true, reason: 'attestation' },
      });
      const bound = await begun.page.nearby(begun.session, person.passkey.beside(data.options));
      expect(bound.status, bound.text).toBe(200);
    },
  );

  it('asks for the passkey of the identity that proved, and for no other of the person [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const second = await addPhone(oidc.service, oidc.account, person);
    const other = await enrolPasskey(oidc.service, oidc.account, second, { origin: oidc.baseUrl });
    const begun = await proved(person);
    const { data } = await eventOf(begun, begun.session);
    expect(data.options.allowCredentials).toMatchObject([{ id: person.passkey.id }]);
    const wrong = await begun.page.nearby(begun.session, other.beside(data.options));
    expect(wrong.status).toBe(401);
    expect((await begun.page.nearby(begun.session, person.passkey.beside(data.options))).status).toBe(200);
  });

  it('waits in two tabs, and each binds by itself [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const key = createKey();
    const [first, second] = [await proved(person, key), await proved(person, key)];
    for (const tab of [second, first]) {
      const { data } = await eventOf(tab, tab.session);
      const bound = await tab.page.nearby(tab.session, person.passkey.beside(data.options));
      expect(bound.status, bound.text).toBe(200);
      expect((await tab.page.complete(tab.session, { remember: true })).status).toBe(200);
    }
    expect(await listOf(person)).toHaveLength(1);
  });

  it('takes no assertion before the phone’s proof [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const begun = await begin();
    const session = await begun.page.open();
    const text = `svc-nearby-v1|${oidc.account.tenantId}|live|${session.id}|${session.nonce}|${begun.key.thumbprint}`;
    const early = person.passkey.beside({ challenge: hash('sha256', text, 'base64url') });
    const refused = await begun.page.nearby(session, early);
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([409, 'sign_in_not_approved']);
    await approveOnPhone(oidc, person, session);
    expect((await begun.page.nearby(session, early)).status).toBe(200);
  });

  const ENDINGS: readonly (readonly [string, (person: WithPasskey, session: Opened) => Promise<unknown>])[] =
    [
      [
        'the identity was revoked',
        (person) =>
          oidc.service.call('POST', '/v1/identity/revoke', {
            as: oidc.account.key,
            body: { did: person.did },
          }),
      ],
      [
        'the person was deactivated',
        (person) =>
          oidc.service.call('PATCH', `/v1/users/${person.userId}`, {
            as: oidc.account.key,
            body: { status: 'inactive' },
          }),
      ],
      [
        'the passkey was revoked',
        ({ passkey }) =>
          oidc.service.call('DELETE', `/v1/attestation/keys/${passkey.keyId}`, { as: oidc.account.key }),
      ],
      [
        'the commitment was replaced',
        (person) =>
          oidc.service.db.query(
            sql`update identities set commitment = ${'1'.repeat(64)} where did = ${person.did}`,
          ),
      ],
      ['the policy became stricter', () => setPolicy(oidc.service, oidc.account, { same_device_only: true })],
    ];

  it.each(ENDINGS)(
    'does not bind a session that waits after %s [browsers/proved-and-waiting]',
    async (_, end) => {
      const person = await personWithPasskey();
      const begun = await proved(person);
      const { data } = await eventOf(begun, begun.session);
      await end(person, begun.session);
      const reply = await begun.page.nearby(begun.session, person.passkey.beside(data.options));
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(401);
      expect((await begun.page.complete(begun.session)).status).toBe(409);
      expect((await state(begun.session)).boundAt).toBeNull();
    },
  );

  it('does not bind a session if the passkey is revoked after its assertion was verified [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const begun = await proved(person);
    const { data } = await eventOf(begun, begun.session);
    const { keyId } = person.passkey;
    writes.beforeNext(() =>
      oidc.service.db.query(sql`update attestation_keys set revoked_at = now() where id = ${keyId}`),
    );
    const reply = await begun.page.nearby(begun.session, person.passkey.beside(data.options));
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([401, 'verification_failed']);
    expect(await failuresOf(person)).toEqual([{ reason: 'attestation' }]);
    expect((await state(begun.session)).boundAt).toBeNull();
  });

  it('is followed by the phone, which sees no more than anybody [GET /v1/phone/pairing/:id/state] [browsers/waiting-on-the-phone]', async () => {
    const person = await personWithPasskey();
    const begun = await proved(person);
    const { id } = begun.session;
    const stateOf = () =>
      oidc.service.call('GET', `/v1/phone/pairing/${id}/state`, { address: freshAddress() });
    const waiting = await stateOf();
    expect(waiting.body).toMatchObject({ id, state: 'issued' });
    const { data } = await eventOf(begun, begun.session);
    await begun.page.nearby(begun.session, person.passkey.beside(data.options));
    const seen = await oidc.service.call('GET', `/v1/proof-pairing/sessions/${id}/public`);
    expect((await stateOf()).body).toEqual(seen.body);
    expect(seen.body.state).toBe('bound');
    oidc.service.clock.advance(300_000);
    expect((await stateOf()).body.error).toBe('pairing_session_not_found');
  });

  it('can still be declined on the phone [POST /v1/phone/pairing/:id/decline] [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const begun = await begin();
    const session = await begun.page.open();
    const { scanTicket } = (await contextOf(oidc.service, session.id, scanOf(session))).body;
    await approveOnPhone(oidc, person, session);
    const { data } = await eventOf(begun, session);
    const declined = await phone(oidc.service, session.id, 'decline', { reason: 'not_me', scanTicket });
    expect(declined.status, declined.text).toBe(200);
    expect((await begun.page.nearby(session, person.passkey.beside(data.options))).status).toBe(409);
    expect((await eventOf(begun, session)).event).toBe('session_declined');
  });

  it('expires as an issued one does [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const begun = await proved(person);
    const { data } = await eventOf(begun, begun.session);
    oidc.service.clock.advance(300_000);
    const reply = await begun.page.nearby(begun.session, person.passkey.beside(data.options));
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([410, 'pairing_session_expired']);
    expect((await state(begun.session)).state).toBe('expired');
    expect((await eventOf(begun, begun.session)).event).toBe('session_expired');
    const listed = await oidc.service.call('GET', '/v1/proof-pairing/sessions?state=proved', {
      as: oidc.account.key,
    });
    expect(listed.body.sessions.map(({ id }: Opened) => id)).not.toContain(begun.session.id);
  });

  it('refuses phones without a passkey, and the session stays open [browsers/new-browsers]', async () => {
    const person = await oidc.person();
    const { reply, session, page } = await proved(person);
    expect([reply.status, reply.body.error]).toEqual([403, 'new_browser_refused']);
    expect((await state(session)).state).toBe('issued');
    expect((await page.complete(session)).status).toBe(409);
    const [failed] = await oidc.service.db.query(
      sql`select result, reason from verifications where tenant_id = ${oidc.account.tenantId} and user_id = ${person.userId} order by occurred_at desc, id desc limit 1`,
    );
    expect(failed).toEqual({ result: 'fail', reason: 'new_browser' });
  });

  it('needs a key to open a session, except on the same device [browsers/new-browsers]', async () => {
    const { page } = await begin();
    const refused = await page.post('session', {});
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([403, 'new_browser_refused']);
    expect(refused.text).not.toContain('hosted_url');
    expect((await page.post('session', { sameDevice: true })).status).toBe(201);
  });

  it('is no session of an API key, which gets the address to sign in at [POST /v1/proof-pairing/sessions] [browsers/new-browsers]', async () => {
    const { service, account, baseUrl } = oidc;
    const origins = ['https://app.example.com'];
    await setPolicy(service, account, { ...NEARBY, origins });
    const open = (body: object) =>
      service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body });
    const reply = await open({});
    expect([reply.status, reply.body.error]).toEqual([403, 'new_browser_refused']);
    expect(reply.body.hosted_url).toBe(`${baseUrl}/oidc/${account.tenantId}/live/auth`);
    expect((await open({ sameDevice: true, returnUrl: `${origins[0]}/back` })).status).toBe(201);
  });

  it('does not learn from a wrong number that its browser is known [browsers/proved-and-waiting]', async () => {
    const person = await personWithPasskey();
    const begun = await begin();
    const session = await begun.page.open();
    const matchCode = String((Number(session.matchCode) + 1) % 100).padStart(2, '0');
    const reply = await approveOnPhone(oidc, person, { ...session, matchCode });
    expect(reply.body.error).toBe('pairing_match_failed');
    expect((await state(session)).state).toBe('rejected');
  });
});
