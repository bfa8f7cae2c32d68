import { AUDIT_HEAD, hashLeaf, type Leaf, tagOf, wordOf } from '@svc/chain/leaves';
import type { TSchema } from 'typebox';
import { routesOf } from '../../../src/app.js';
import { sql } from '../../../src/db/sql.js';
import { exampleOf as exampleOfSchema } from '../../../src/http/openapi/example.js';
import type { Route } from '../../../src/http/route.js';
import * as exampleFixtures from '../../../src/model/example-fixtures.js';
import { answerBody, joinBody, meetingAfter, openingBody, revealBody, type Step } from '../additions.js';
import { ceremonyBefore, commitBody, completeBody, freshFingerprint, pairBody } from '../ceremony.js';
import { enrolWithKey, sessionBody } from '../device-keys.js';
import { pngOf } from '../images.js';
import { createKey } from '../oidc/browser-key.js';
import { OIDC_EXAMPLES } from '../oidc/examples.js';
import { bindOnSameDevice, bindPairing, contextOf, openPairing, proveForPairing } from '../pairing.js';
import { openSession, proveAnonymously, proveFor, registerPerson } from '../phone.js';
import { openRecovery } from '../recoveries.js';
import { ADMIN_KEY, freshAddress, type Reply } from '../service.js';
import { accountOf, proveBrowsers, proveContest, proveForgetBrowser } from '../several-phones.js';
import { oidcResponse, pathOf, samlResponse } from '../sso.js';
import { openedDesk, staffAt } from '../staff.js';
import { APPROVAL_EXAMPLES } from './approval-examples.js';
import { ATTESTATION_EXAMPLES } from './attestation-examples.js';
import { eventKeyOf, keyOf, ssoKeyOf } from './credentials.js';
import { IDENTITY_EXAMPLES } from './identity-examples.js';
import { MEMBER_EXAMPLES } from './member-examples.js';
import type { Prepared, Stage } from './prepared.js';
import { TIME_EXAMPLES } from './time-examples.js';

export { keyOf } from './credentials.js';
export type { Prepared, Stage } from './prepared.js';

/** Creates what the request needs (a device to change, a session to end) and returns the request. */
type Example = (stage: Stage) => Promise<Prepared>;

/** Anchors the account's first audit head in a batch of one, as the worker does. */
const anchoredHead: Example = async ({ service, account }) => {
  const [event] = await service.db.query<{ hash: string }>(sql`select hash from audit_events
    where tenant_id = ${account.tenantId} and environment = 'live' and seq = 1`);
  const leaf: Leaf = {
    kind: AUDIT_HEAD,
    tag: tagOf(account.tenantId, 'live'),
    first: wordOf(1),
    second: event!.hash,
    salt: crypto.randomUUID().replaceAll('-', '').padStart(64, '5'),
  };
  const hub = `1:0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
  const now = new Date(service.clock.now());
  await service.db.query(sql`insert into anchor_batches (hub, batch_id, root, leaves, identities, created_at)
    values (${hub}, 1, ${hashLeaf(leaf)}, 1, 0, ${now})`);
  await service.db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, seq, first_word, second_word,
      salt, hash, created_at, hub, batch_id, position)
    values (${account.tenantId}, 'live', ${crypto.randomUUID()}, 2, 1, ${leaf.first}, ${leaf.second}, ${leaf.salt},
      ${hashLeaf(leaf)}, ${now}, ${hub}, 1, 0)`);
  return {};
};

/** A pending device created in the console. */
async function pending({ service, account }: Stage): Promise<{ id: string; code: string }> {
  const reply = await service.call('POST', '/api/console/devices', {
    as: account.token,
    body: { name: 'Kiosk' },
  });
  return { id: reply.body.device.id, code: reply.body.enrollment.code };
}

const withSession: Example = async ({ service, account }) => {
  const { reply } = await openSession(service, account);
  return { headers: { 'x-session-token': reply.body.accessToken } };
};

/** A bound session, whose stream ends by itself. */
const boundPairing =
  (suffix: '' | '/stream'): Example =>
  async ({ service, account }) => {
    const { pairing } = await bindPairing(service, account);
    const path = pairing.streamUrl.replace(/\/stream$/, suffix);
    return { path, headers: { cookie: pairing.cookie } };
  };

/** The account's webhook, which is created at the first call: the free plan has one. */
async function webhookOf(stage: Stage): Promise<string> {
  const { service } = stage;
  const base = '/v1/webhooks';
  const as = await eventKeyOf(stage);
  const listed = (await service.call('GET', base, { as })).body.webhooks?.[0];
  if (listed) return `${base}/${listed.id}`;
  const body = { url: 'https://example.com/hooks', events: ['*'] };
  const created = await service.call('POST', base, { as, body });
  if (created.status !== 201)
    throw new Error(`creating a webhook returned ${created.status} ${created.text}`);
  return `${base}/${created.body.webhook.id}`;
}

const ofWebhook =
  (suffix: string, body?: object): Example =>
  async (stage) => ({ path: `${await webhookOf(stage)}${suffix}`, ...(body && { body }) });

const newWebhook: Example = async (stage) => {
  await stage.service.call('DELETE', await webhookOf(stage), { as: await eventKeyOf(stage) });
  return { body: { url: 'https://example.com/hooks', events: ['user.*'] } };
};

/** A session of the legacy surface, without an account. */
async function openLegacySession({ service }: Stage): Promise<{ accessToken: string; refreshToken: string }> {
  const body = await proveAnonymously(service);
  return (await service.call('POST', '/api/auth/zkp/verify', { body, address: freshAddress() })).body;
}

const withLegacySession: Example = async (stage) => ({
  headers: { 'x-session-token': (await openLegacySession(stage)).accessToken },
});

const template: Example = async () => ({
  body: { biometricTemplate: Buffer.from('a template').toString('base64') },
});
const anonymousProof: Example = async ({ service }) => ({ body: await proveAnonymously(service) });

/** A browser that is known to a new person. */
async function knownBrowser({ service, account }: Stage) {
  const person = await registerPerson(service, account.key);
  const { userId } = person;
  const id = crypto.randomUUID();
  const key = createKey();
  await service.db.query(sql`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, browser, system,
      how, identity_id, commitment, created_at, last_used_at)
    select ${account.tenantId}, 'live', ${id}, ${userId}, ${key.thumbprint}, ${JSON.stringify(key.jwk)}::jsonb, 'Firefox', 'Windows', 'nearby',
      id, commitment, ${new Date(service.clock.now())}, ${new Date(service.clock.now())} from identities
    where tenant_id = ${account.tenantId} and environment = 'live' and user_id = ${userId}`);
  return { person, id, key };
}

const forgetThisBrowser: Example = async (stage) => {
  const { tenantId } = stage.account;
  const { key } = await knownBrowser(stage);
  const signature = key.sign(`svc-browser-v1|forget|${tenantId}|live`);
  return { body: { tenantId, environment: 'live', browser: { jwk: key.jwk, signature } } };
};

/** A phone asks for the browsers of its person, or forgets one. */
const ofPhonesBrowsers =
  (action: 'list' | 'forget'): Example =>
  async (stage) => {
    const { service, account } = stage;
    const { person, id } = await knownBrowser(stage);
    const use = accountOf({ ...account, environment: 'live' });
    const body =
      action === 'list'
        ? await proveBrowsers(service, person, use)
        : { ...(await proveForgetBrowser(service, person, id, use)), browserId: id };
    return { body: { ...use, ...body } };
  };

const revocation: Example = async ({ service, account }) => ({
  body: { did: (await registerPerson(service, account.key)).did },
});

/** A recovery of a person, opened by a session of the dashboard. */
async function pendingRecovery(stage: Stage) {
  const { service, account } = stage;
  await eventKeyOf(stage);
  const person = await registerPerson(service, account.key);
  // Recovering needs a confirmed log-in.
  await service.call('POST', '/api/console/step-up', {
    session: account.token,
    body: { password: account.password },
    address: freshAddress(),
  });
  const { c } = await openRecovery(service, account, person.userId, { session: account.token });
  return { person, id: c.id };
}

let signups = 0;

/**
 * Requests that need a ceremony first: a proof, a login, a code. Every other route's example is derived from the route, so a
 * new endpoint needs no entry here.
 */
/** An action of a phone on a new session, with what a decline needs. */
const openedPairing =
  (action: string, sessions = '/v1/proof-pairing/sessions/'): Example =>
  async ({ service, account }) => {
    const { id } = await openPairing(service, account.key);
    const { scanTicket } = (await contextOf(service, id)).body;
    const body = action === '/decline' ? { reason: 'not_me', scanTicket } : undefined;
    return { path: `${sessions}${id}${action}`, ...(body && { body }) };
  };

/** A step of an addition, after the steps before it. */
const additionStep =
  (step: Step, ...before: Step[]): Example =>
  async ({ service, account }) => {
    const meeting = await meetingAfter(service, account, ...before);
    const { id, code, a } = meeting;
    const body = {
      join: () => joinBody(meeting),
      reveal: () => revealBody(meeting),
      open: () => answerBody(meeting),
      reject: () => ({ a }),
    }[step];
    return { path: `/v1/phone/additions/${step === 'join' ? code : id}/${step}`, body: await body() };
  };

const EXAMPLES: Readonly<Record<string, Example>> = {
  'POST /v1/auth/zkp/register': template,
  'POST /v1/auth/zkp/verify': anonymousProof,
  'GET /api/auth/me': withLegacySession,
  'POST /api/auth/refresh': async (stage) => ({
    body: { refreshToken: (await openLegacySession(stage)).refreshToken },
  }),
  'POST /api/auth/logout': withLegacySession,
  'POST /api/auth/zkp/register': template,
  'POST /api/auth/zkp/verify': anonymousProof,
  'POST /api/auth/saml/callback': async ({ service }) => ({ body: await samlResponse(service, null) }),
  'POST /api/auth/oidc/callback': async ({ service }) => ({ body: await oidcResponse(service, null) }),
  'POST /api/console/signup': async () => {
    signups += 1;
    const email = `sweep${signups}.${process.pid}.${Date.now()}@example.com`;
    return { body: { email, password: 'a quite unusual sentence 42', companyName: 'Sweep' } };
  },
  'POST /api/console/login': async ({ account: { email, password } }) => ({ body: { email, password } }),
  'POST /api/console/session': async ({ account: { email, password } }) => ({ body: { email, password } }),
  'POST /api/console/account/confirm-restore': async ({ service, account }) => {
    const now = new Date(service.clock.now());
    await service.db.query(
      sql`update tenants set identities_locked_at = ${now} where id = ${account.tenantId}`,
    );
    return {};
  },
  'POST /api/console/password': async ({ account: { password } }) => ({
    body: { currentPassword: password, newPassword: 'another unusual sentence 43' },
  }),
  'POST /api/console/account/close': async ({ account: { password } }) => ({ body: { password } }),
  'POST /api/console/account/reopen': async ({ service, account: { token: as, password } }) => {
    await service.call('POST', '/api/console/account/close', {
      as,
      body: { password },
      address: freshAddress(),
    });
    return {};
  },
  'GET /api/console/retention': async () => ({ path: '/api/console/retention?days=365' }),
  'GET /logos/:tenantId/:logoId': async ({ service, account }) => {
    const logo = pngOf(16, 16).toString('base64');
    const reply = await service.call('PUT', '/api/console/profile', { as: account.token, body: { logo } });
    return { path: reply.body.profile.logo.url };
  },
  'GET /product-logo/:logoId': async ({ service }) => ({
    path: (await service.call('GET', '/api/product')).body.product.logo.url,
  }),
  // Networks are rejected from a loopback address, which examples are sent from.
  'PATCH /api/console/keys/:keyId': async ({ service, account }) => {
    const body = { name: 'Gate', environment: 'live' };
    const reply = await service.call('POST', '/api/console/keys', { as: account.token, body });
    return {
      path: `/api/console/keys/${reply.body.apiKey.id}`,
      body: { name: 'Front gate', allowedCidrs: [] },
    };
  },
  // A pending device can't become active, which the schema's example would set.
  'PATCH /api/console/devices/:id': async (stage) => ({
    path: `/api/console/devices/${(await pending(stage)).id}`,
    body: { name: 'Lobby', locationId: null },
  }),
  'POST /v1/devices/enroll': async (stage) => ({
    body: { enrollment_code: (await pending(stage)).code, fingerprint: freshFingerprint() },
  }),
  'POST /v1/devices/session': async (stage) => ({
    body: sessionBody(await enrolWithKey(stage.service, stage.account), stage.service),
  }),
  'DELETE /v1/proof-pairing/sessions/:id': async ({ service, account }) => {
    const { id, cookie } = await openPairing(service, account.key);
    return { path: `/v1/proof-pairing/sessions/${id}`, headers: { cookie } };
  },
  'POST /v1/registrations/context': async ({ service, account }) => {
    const { id, pairCode } = await ceremonyBefore(service, account, 'pair-device');
    return { body: { pair_code: pairCode, session_id: id } };
  },
  // An abandoned one, whose stream ends by itself.
  'GET /v1/registrations/:id/stream': async ({ service, account }) => {
    const { id } = await ceremonyBefore(service, account, 'pair-device');
    await service.call('DELETE', `/v1/registrations/${id}`, { as: account.key });
    return { path: `/v1/registrations/${id}/stream` };
  },
  'POST /v1/registrations/pair-device': async ({ service, account }) => ({
    body: pairBody(await ceremonyBefore(service, account, 'pair-device')),
  }),
  'POST /v1/registrations/submit-commitment': async ({ service, account }) => ({
    body: commitBody(await ceremonyBefore(service, account, 'submit-commitment')),
  }),
  'POST /v1/registrations/complete': async ({ service, account }) => ({
    body: await completeBody(await ceremonyBefore(service, account, 'complete')),
  }),
  // Not the user that other examples refer to.
  'DELETE /v1/browsers/:id': async (stage) => ({ path: `/v1/browsers/${(await knownBrowser(stage)).id}` }),
  'POST /sign-in/browser/forget': forgetThisBrowser,
  'POST /v1/phone/browsers/list': ofPhonesBrowsers('list'),
  'POST /v1/phone/browsers/forget': ofPhonesBrowsers('forget'),
  'POST /api/console/users/:userId/confirm-name': async ({ service, account }) => {
    const body = { fullName: 'Ada Lovelace' };
    const made = await service.call('POST', '/v1/users', { as: account.key, body });
    return { path: `/api/console/users/${made.body.user.id}/confirm-name`, body: { how: 'document_seen' } };
  },
  'POST /v1/staff/session': async ({ account: { email, password } }) => ({ body: { email, password } }),
  'POST /v1/staff/registrations': async () => ({
    body: { how: 'document_seen', profile: { fullName: 'Ada Lovelace' } },
  }),
  'POST /v1/staff/lock': async ({ service, account }) => ({
    body: { did: (await registerPerson(service, account.key)).did },
  }),
  'POST /v1/users/:userId/erase': async (stage) => {
    const { service, account } = stage;
    // Before a test counts rows or lets statements fail.
    await eventKeyOf(stage);
    const { body } = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { fullName: 'Ada Lovelace' },
    });
    return { path: `/v1/users/${body.user.id}/erase`, body: { reason: 'request' } };
  },
  'POST /v1/recoveries/:id/confirm': async (stage) => {
    const { id } = await pendingRecovery(stage);
    await stage.service.db.query(
      sql`update registration_sessions set contested_at = recovery_opened_at where id = ${id}`,
    );
    return { path: `/v1/recoveries/${id}/confirm` };
  },
  'POST /v1/recoveries/:id/cancel': async (stage) => ({
    path: `/v1/recoveries/${(await pendingRecovery(stage)).id}/cancel`,
  }),
  'POST /v1/phone/recoveries/:id/contest': async (stage) => {
    const { service, account } = stage;
    const { person, id } = await pendingRecovery(stage);
    return {
      path: `/v1/phone/recoveries/${id}/contest`,
      body: await proveContest(service, person, id, { tenantId: account.tenantId }),
    };
  },
  'GET /v1/anchors': anchoredHead,
  'GET /v1/anchors/proof': anchoredHead,
  'GET /v1/audit/proof': async () => ({ path: '/v1/audit/proof?seq=1' }),
  'GET /v1/audit/consistency': async () => ({ path: '/v1/audit/consistency?from=1' }),
  'GET /v1/audit/checkpoint': async ({ service, account: { token: as } }) => {
    const path = '/api/console/security-policy';
    const { headers } = await service.call('GET', path, { as });
    // The rest of the policy stays as it is, because other examples rely on it.
    const body = { security_policy: { audit_checkpoint: true } };
    await service.call('PATCH', path, { as, body, headers: { 'If-Match': String(headers.etag) } });
    return {};
  },
  'POST /v1/identity/verify': async ({ service, account }) => {
    const person = await registerPerson(service, account.key);
    return { body: await proveFor(service, person, { tenantId: account.tenantId }) };
  },
  'POST /v1/identity/refresh': async ({ service, account }) => {
    const { reply } = await openSession(service, account);
    return { body: { refreshToken: reply.body.refreshToken } };
  },
  'POST /v1/identity/revoke': revocation,
  'DELETE /v1/sessions/:id': async ({ service, account }) => ({
    path: `/v1/sessions/${(await openSession(service, account)).reply.body.sessionId}`,
  }),
  'GET /v1/identity/:did/leaf': async ({ service, account }) => ({
    path: `/v1/identity/${(await registerPerson(service, account.key)).did}/leaf`,
  }),
  'POST /v1/phone/additions': async ({ service, account: { key, tenantId } }) => {
    const environment = key.startsWith('svc_test_') ? 'test' : 'live';
    const person = await registerPerson(service, key);
    return { body: await openingBody(service, person, exampleFixtures.hash, { tenantId, environment }) };
  },
  'POST /v1/phone/additions/:code/join': additionStep('join'),
  'POST /v1/phone/additions/:id/reveal': additionStep('reveal', 'join'),
  'POST /v1/phone/additions/:id/open': additionStep('open', 'join', 'reveal'),
  'POST /v1/phone/additions/:id/reject': additionStep('reject', 'join'),
  'GET /v1/phone/additions/:id': async ({ service, account }) => {
    const { id } = await meetingAfter(service, account, 'join', 'reveal', 'open');
    return { path: `/v1/phone/additions/${id}` };
  },
  'POST /v1/proof-pairing/sessions': async () => ({ body: { match: 'type' } }),
  'GET /v1/proof-pairing/sessions/:id/context': openedPairing('/context'),
  'GET /v1/phone/pairing/:id/context': openedPairing('/context', '/v1/phone/pairing/'),
  'POST /v1/proof-pairing/sessions/:id/decline': openedPairing('/decline'),
  'POST /v1/phone/pairing/:id/decline': openedPairing('/decline', '/v1/phone/pairing/'),
  'POST /v1/proof-pairing/sessions/:id/redeem': async ({ service, account }) => {
    const { pairing, returnCode } = await bindOnSameDevice(service, account);
    return {
      path: `/v1/proof-pairing/sessions/${pairing.id}/redeem`,
      headers: { cookie: pairing.cookie },
      body: { returnCode },
    };
  },
  'POST /v1/phone/pairing/:id/submit': async ({ service, account }) => {
    const person = await registerPerson(service, account.key);
    const { id, nonce } = await openPairing(service, account.key);
    return {
      path: `/v1/phone/pairing/${id}/submit`,
      body: await proveForPairing(person, { tenantId: account.tenantId, sessionId: id, nonce }),
    };
  },
  'POST /v1/proof-pairing/sessions/:id/submit': async ({ service, account }) => {
    const person = await registerPerson(service, account.key);
    const { id, nonce } = await openPairing(service, account.key);
    return {
      path: `/v1/proof-pairing/sessions/${id}/submit`,
      body: await proveForPairing(person, { tenantId: account.tenantId, sessionId: id, nonce }),
    };
  },
  ...TIME_EXAMPLES,
  ...APPROVAL_EXAMPLES,
  ...ATTESTATION_EXAMPLES,
  ...OIDC_EXAMPLES,
  ...IDENTITY_EXAMPLES,
  ...MEMBER_EXAMPLES,
  'POST /v1/webhooks': newWebhook,
  'GET /v1/events': async () => ({ path: '/v1/events?limit=20' }),
  'GET /v1/webhooks/:id': ofWebhook(''),
  'PATCH /v1/webhooks/:id': ofWebhook('', { description: 'Main gate' }),
  'DELETE /v1/webhooks/:id': ofWebhook(''),
  'POST /v1/webhooks/:id/rotate-secret': ofWebhook('/rotate-secret', { graceSeconds: 60 }),
  'POST /v1/webhooks/:id/test': ofWebhook('/test'),
  'POST /v1/webhooks/:id/replay': ofWebhook('/replay', { fromSeq: 1 }),
  'GET /v1/webhooks/:id/deliveries': ofWebhook('/deliveries'),
  'GET /v1/webhooks/:id/deliveries/days': ofWebhook('/deliveries/days'),
  'GET /v1/proof-pairing/sessions/:id/stream': boundPairing('/stream'),
  'GET /v1/proof-pairing/sessions/:id': boundPairing(''),
  'GET /v1/phone/pairing/:id/state': async ({ service, account }) => {
    const { id } = await openPairing(service, account.key);
    return { path: `/v1/phone/pairing/${id}/state` };
  },
  'GET /v1/proof-pairing/sessions/:id/public': async ({ service, account }) => {
    const { id } = await openPairing(service, account.key);
    return { path: `/v1/proof-pairing/sessions/${id}/public` };
  },
  'POST /v1/auth/saml/callback': async ({ service, account }) => ({
    body: await samlResponse(service, await ssoKeyOf({ service, account })),
  }),
  'POST /v1/auth/oidc/callback': async ({ service, account }) => ({
    body: await oidcResponse(service, await ssoKeyOf({ service, account })),
  }),
  'GET /demo/idp/saml/sso': async ({ service, account }) => {
    const as = await ssoKeyOf({ service, account });
    const { body } = await service.call('GET', '/v1/auth/saml/login', { as });
    return { path: `${pathOf(body.redirectUrl)}&subject=sweep` };
  },
  'GET /demo/idp/oidc/authorize': async ({ service, account }) => {
    const as = await ssoKeyOf({ service, account });
    const { body } = await service.call('GET', '/v1/auth/oidc/authorize', { as });
    return { path: pathOf(body.authorizationUrl) };
  },
};

export const nameOf = (route: Route): string => `${route.method} ${route.path}`;

const routes = routesOf('0.0.0-test');

/** The ids that the schemas' examples use, and where such a record is created. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  [exampleFixtures.ids.device]: '/v1/devices',
  [exampleFixtures.ids.user]: '/v1/users',
  [exampleFixtures.ids.verification]: '/v1/verifications',
  [exampleFixtures.ids.site]: '/v1/sites',
};

/** Fields that must be unique. */
const UNIQUE: Readonly<Record<string, () => string>> = {
  [exampleFixtures.did]: () => `did:svc:${crypto.randomUUID().replaceAll('-', '')}`,
  [exampleFixtures.commitment]: () => crypto.randomUUID().replaceAll('-', '').padStart(64, '0'),
  [exampleFixtures.fingerprint]: freshFingerprint,
};

/** The records that examples refer to, one of each kind per credential. */
const referred = new Map<string, Promise<string>>();

/** A schema's example with the ids of records that exist, and fresh values where a value may be used only once. */
async function filled(value: unknown, stage: Stage, name = ''): Promise<unknown> {
  if (typeof value === 'string') {
    if (value === exampleFixtures.ids.tenant) return stage.account.tenantId;
    if (name === 'externalId' || name === 'employeeCode') return `${value}-${crypto.randomUUID()}`;
    const collection = COLLECTIONS[value];
    if (collection === undefined) return UNIQUE[value]?.() ?? value;
    const key = `${stage.account.key} ${collection}`;
    const created = referred.get(key) ?? create(collection, stage);
    referred.set(key, created);
    return created;
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => filled(item, stage)));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(async ([key, item]) => [key, await filled(item, stage, key)]);
  return Object.fromEntries(await Promise.all(fields));
}

/** The route that adds to a collection, on the console or else under `/v1`. */
const creatorOf = (collection: string): Route | undefined =>
  [collection, collection.replace('/api/console/', '/v1/')]
    .map((path) => routes.find((route) => route.method === 'POST' && route.path === path))
    .find((route) => route !== undefined);

/** Creates a record in a collection by the route's own example. @returns its id */
async function create(collection: string, stage: Stage, path = collection): Promise<string> {
  const route = creatorOf(collection);
  if (route === undefined) throw new Error(`no route creates a record of ${collection}: add an example`);
  const own = route.path === collection ? path : path.replace('/api/console/', '/v1/');
  const reply = await send(route, stage, { prepared: { ...(await exampleOf(route)(stage)), path: own } });
  const records = [reply.body, ...Object.values(reply.body ?? {})] as ({
    id?: unknown;
    clientId?: unknown;
  } | null)[];
  const id = records
    .map((record) => record?.id ?? record?.clientId)
    .find((value) => typeof value === 'string');
  if (typeof id !== 'string') throw new Error(`${nameOf(route)} created nothing: ${reply.text}`);
  return id;
}

/** Adds a record to a list, where a route creates such records. */
export async function addRecord(list: Route, stage: Stage): Promise<void> {
  if (list.path === '/v1/recoveries') await pendingRecovery(stage);
  if (creatorOf(list.path)) await create(list.path, stage);
}

/** The route's path, with a new record for each of its parameters. */
async function filledPath(route: Route, stage: Stage): Promise<string> {
  let [shape, path] = ['', ''];
  for (const part of route.path.split('/').slice(1)) {
    path += `/${part.startsWith(':') ? await create(shape, stage, path) : part}`;
    shape += `/${part}`;
  }
  return path;
}

/** A request from the route alone: records for its path, the examples of its body and of the query fields that it requires. */
const derived =
  (route: Route): Example =>
  async (stage) => {
    const { body, query } = route.schemas ?? {};
    const { properties = {}, required = [] } = (query ?? {}) as {
      properties?: Record<string, TSchema>;
      required?: readonly string[];
    };
    const isList = 'cursor' in properties;
    if (isList) await addRecord(route, stage);
    const fields = await filled(
      Object.fromEntries(required.map((name) => [name, exampleOfSchema(properties[name] as TSchema, name)])),
      stage,
    );
    const search = new URLSearchParams({
      ...(fields as Record<string, string>),
      ...(isList && { limit: '1' }),
    });
    const path = await filledPath(route, stage);
    return {
      path: search.size === 0 ? path : `${path}?${search}`,
      ...(body && { body: (await filled(exampleOfSchema(body, nameOf(route)), stage)) as object }),
      ...(isKeyed(route) && 'X-Session-Token' in (route.headers ?? {}) && (await withSession(stage))),
    };
  };

/** The same from a desk of the account, at which its owner may act. */
const atDesk =
  (kind: 'device' | 'staff', example: Example): Example =>
  async (stage) => {
    const prepared = await example(stage);
    if (prepared.credentials) return prepared;
    const { service, account } = stage;
    const desk = await openedDesk(service, account);
    const credentials =
      kind === 'staff' ? await staffAt(service, desk, account) : { authorization: `Bearer ${desk.session}` };
    return { ...prepared, credentials };
  };

/** The example of a route: a request that succeeds. */
export function exampleOf(route: Route): Example {
  const example = EXAMPLES[nameOf(route)] ?? derived(route);
  return route.auth.kind === 'device' || route.auth.kind === 'staff'
    ? atDesk(route.auth.kind, example)
    : example;
}

export const isWrite = (route: Route): boolean => route.method !== 'GET';
export const isKeyed = (route: Route): boolean => route.auth.kind === 'key';
/** Whether the route requires no credential. */
export const isOpen = (route: Route): boolean => ['none', 'legacy'].includes(route.auth.kind);

export interface SendOptions {
  /** Replaces the account's credential. Null sends none. */
  readonly as?: string | null;
  /** A console token, sent as the cookie of one of our own pages. With it, no other credential is sent unless `as` names one. */
  readonly session?: string;
  readonly prepared?: Prepared;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

/** Streams without an end. */
const ENDLESS = [
  'GET /api/console/requests/stream',
  'GET /v1/events/stream',
  'GET /v1/attendance/codes/:codeId/stream',
];

/** A path of the route with unknown ids. */
export const shapeOf = (route: Route): string =>
  route.path.replaceAll(/:\w+/g, '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b');

/** Sends a route's request with the account's credential of the required kind. */
export async function send(route: Route, stage: Stage, options: SendOptions = {}): Promise<Reply> {
  const { service, account } = stage;
  const { session, prepared = {}, address = freshAddress() } = options;
  const as = session === undefined ? options.as : (options.as ?? null);
  const raw = options.raw ?? ('body' in options ? undefined : prepared.raw);
  const own = async () =>
    ({
      key: await keyOf(route, stage),
      console: account.token,
      admin: undefined,
      device: undefined,
      staff: undefined,
      none: undefined,
      legacy: undefined,
    })[route.auth.kind];
  const credential = as === undefined ? await own() : (as ?? undefined);
  const admin = as === undefined && route.auth.kind === 'admin' ? { 'x-api-key': ADMIN_KEY } : {};
  const body = 'body' in options ? options.body : prepared.body;
  return service.call(route.method, prepared.path ?? shapeOf(route), {
    ...(credential !== undefined && { as: credential }),
    session,
    ...(raw === undefined ? body !== undefined && { body } : { raw }),
    headers: {
      ...admin,
      ...(as === undefined && prepared.credentials),
      ...prepared.headers,
      ...options.headers,
    },
    address,
    endless: ENDLESS.includes(nameOf(route)),
  });
}

/** Prepares the route's example for the account and sends it. */
export async function succeed(route: Route, stage: Stage): Promise<Reply> {
  const prepared = await exampleOf(route)(stage);
  return send(route, stage, { prepared });
}
