import { AUDIT_HEAD, hashLeaf, type Leaf, tagOf, wordOf } from '@svc/chain/leaves';
import { sql } from '../../src/kernel/db/sql.js';
import type { Route } from '../../src/kernel/route.js';
import { ceremonyBefore, commitBody, completeBody, freshFingerprint, pairBody } from './ceremony.js';
import { bindPairing, openPairing, proveForPairing } from './pairing.js';
import { openSession, proveAnonymously, proveFor, registerPerson } from './phone.js';
import { type Account, ADMIN_KEY, freshAddress, type Reply, type Service } from './service.js';
import { oidcAnswer, pathOf, samlAnswer, ssoKey } from './sso.js';

/** One request that succeeds: what is not given is empty. */
export interface Prepared {
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly service: Service;
  readonly account: Account;
}

/** Makes what the request needs (a device to change, a session to end) and answers the request. */
type Example = (stage: Stage) => Promise<Prepared>;

const bare: Example = async () => ({});

/** The chain's first head in a batch of one, as the worker would have left it. */
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

async function device({ service, account }: Stage): Promise<string> {
  const reply = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Gate' } });
  return reply.body.device.id;
}

async function user({ service, account }: Stage): Promise<string> {
  const body = { fullName: 'Ada Lovelace' };
  return (await service.call('POST', '/v1/users', { as: account.key, body })).body.user.id;
}

async function verification({ service, account }: Stage): Promise<string> {
  const body = { method: 'face', result: 'challenge' };
  return (await service.call('POST', '/v1/verifications', { as: account.key, body })).body.verification.id;
}

async function attendance(stage: Stage): Promise<string> {
  const { service, account } = stage;
  const body = { userId: await user(stage), type: 'check_out' };
  return (await service.call('POST', '/v1/attendance', { as: account.key, body })).body.attendance.id;
}

/** A device of the console that waits for its code. */
async function pending({ service, account }: Stage): Promise<{ id: string; code: string }> {
  const reply = await service.call('POST', '/api/console/devices', {
    as: account.token,
    body: { name: 'Kiosk' },
  });
  return { id: reply.body.device.id, code: reply.body.enrollment.code };
}

const ceremony = async ({ service, account }: Stage) =>
  (await ceremonyBefore(service, account, 'pair-device')).id;

const withSession: Example = async ({ service, account }) => {
  const { reply } = await openSession(service, account);
  return { headers: { 'x-session-token': reply.body.accessToken } };
};

/** Bound, so that its stream ends by itself. */
const boundPairing =
  (suffix: '' | '/stream', from: 'key' | 'token' = 'key'): Example =>
  async ({ service, account }) => {
    const { pairing } = await bindPairing(service, account, account[from]);
    const path = pairing.streamUrl.replace(/\/stream$/, suffix);
    return { path, headers: { cookie: pairing.cookie } };
  };

/** A session of the legacy surface, which is nobody's. */
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

let signups = 0;

/** A request that succeeds for every route, by `METHOD path`. The sweeps fail for a route that has none. */
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
  'GET /api/auth/zkp/nonce': bare,
  'GET /api/auth/zkp/circuit-info': bare,
  'GET /api/auth/saml/login': bare,
  'POST /api/auth/saml/callback': async ({ service }) => ({ body: await samlAnswer(service, null) }),
  'GET /api/auth/saml/metadata': bare,
  'GET /api/auth/oidc/authorize': bare,
  'POST /api/auth/oidc/callback': async ({ service }) => ({ body: await oidcAnswer(service, null) }),
  'GET /api/auth/oidc/.well-known/openid-configuration': bare,
  'GET /api/health': bare,
  'GET /api/health/live': bare,
  'GET /api/health/ready': bare,
  'POST /api/leads/pilot': async () => ({
    body: { name: 'Ada Example', company: 'Example AG', email: 'ada@example.com', size: '50-200' },
  }),
  'POST /api/leads/whitepaper': async () => ({ body: { email: 'ada@example.com' } }),
  'GET /downloads/whitepaper.pdf': bare,
  'POST /api/console/signup': async () => {
    signups += 1;
    const email = `sweep${signups}.${process.pid}.${Date.now()}@example.com`;
    return { body: { email, password: 'a quite unusual sentence 42', companyName: 'Sweep' } };
  },
  'POST /api/console/login': async ({ account: { email, password } }) => ({ body: { email, password } }),
  'POST /api/console/session': async ({ account: { email, password } }) => ({ body: { email, password } }),
  'GET /api/console/session': bare,
  'POST /api/console/logout': bare,
  'POST /api/console/password': async ({ account: { password } }) => ({
    body: { currentPassword: password, newPassword: 'another unusual sentence 43' },
  }),
  'GET /api/console/account': bare,
  'GET /api/console/security-policy': bare,
  'PUT /api/console/security-policy': async () => ({
    body: { security_policy: { require_basic_integrity: true } },
  }),
  'GET /api/console/keys': bare,
  'POST /api/console/keys': async () => ({ body: { name: 'Second', environment: 'test' } }),
  'DELETE /api/console/keys/:keyId': async ({ service, account }) => {
    const body = { name: 'To revoke', environment: 'live' };
    const reply = await service.call('POST', '/api/console/keys', { as: account.token, body });
    return { path: `/api/console/keys/${reply.body.apiKey.id}` };
  },
  'GET /api/console/usage': bare,
  'POST /v1/devices': async () => ({
    body: { name: 'Gate', deviceType: 'mobile_ios', batteryLevel: 12.5, metadata: { floor: 2 } },
  }),
  'GET /v1/devices': async (stage) => {
    await device(stage);
    return { path: '/v1/devices?status=active&limit=1' };
  },
  'GET /v1/devices/:deviceId': async (stage) => ({ path: `/v1/devices/${await device(stage)}` }),
  'PATCH /v1/devices/:deviceId': async (stage) => ({
    path: `/v1/devices/${await device(stage)}`,
    body: { name: 'Back gate', locationId: null, lastSeenAt: '2026-05-12T09:00:00.000Z' },
  }),
  'POST /v1/verifications': async () => ({
    body: { method: 'manual', result: 'pass', confidenceScore: 99.5, metadata: { desk: 'B' } },
  }),
  'GET /v1/verifications': async (stage) => {
    await verification(stage);
    return { path: '/v1/verifications?limit=1' };
  },
  'GET /v1/verifications/:verificationId': async (stage) => ({
    path: `/v1/verifications/${await verification(stage)}`,
  }),
  'GET /api/console/overview': async (stage) => {
    await user(stage);
    return { path: '/api/console/overview?environment=live' };
  },
  'GET /api/console/users': async (stage) => {
    await user(stage);
    return { path: '/api/console/users?status=active&limit=1' };
  },
  'GET /api/console/verifications': async () => ({ path: '/api/console/verifications?environment=test' }),
  'GET /api/console/attendance': async () => ({ path: '/api/console/attendance?result=accepted' }),
  'GET /api/console/audit': async () => ({ path: '/api/console/audit?action=tenant.created' }),
  'GET /api/console/pairing': async ({ service, account }) => {
    await openPairing(service, account.token);
    return { path: '/api/console/pairing?state=issued&limit=1' };
  },
  'POST /api/console/pairing': bare,
  'GET /api/console/pairing/:id/stream': boundPairing('/stream', 'token'),
  'GET /api/console/pairing/:id': boundPairing('', 'token'),
  'GET /api/console/registrations': async (stage) => {
    await ceremony(stage);
    return { path: '/api/console/registrations?state=awaiting_device' };
  },
  'POST /api/console/registrations': async () => ({ body: { profile: { fullName: 'Grace Hopper' } } }),
  'GET /api/console/registrations/:id': async (stage) => ({
    path: `/api/console/registrations/${await ceremony(stage)}`,
  }),
  'DELETE /api/console/registrations/:id': async (stage) => ({
    path: `/api/console/registrations/${await ceremony(stage)}`,
  }),
  'GET /api/console/devices': async (stage) => {
    await pending(stage);
    return { path: '/api/console/devices?status=inactive&enrollment_state=pending&limit=1' };
  },
  'POST /api/console/devices': async () => ({ body: { name: 'Kiosk', deviceType: 'kiosk' } }),
  'POST /api/console/devices/:id/regenerate-code': async (stage) => ({
    path: `/api/console/devices/${(await pending(stage)).id}/regenerate-code`,
  }),
  'PATCH /api/console/devices/:id': async (stage) => ({
    path: `/api/console/devices/${(await pending(stage)).id}`,
    body: { name: 'Lobby', locationId: null },
  }),
  'DELETE /api/console/devices/:id': async (stage) => ({
    path: `/api/console/devices/${(await pending(stage)).id}`,
  }),
  'POST /v1/devices/enroll': async (stage) => ({
    body: { enrollment_code: (await pending(stage)).code, fingerprint: freshFingerprint() },
  }),
  'POST /v1/users': async () => ({
    body: { fullName: 'Ada Lovelace', email: 'ada@example.com', metadata: { team: 'A' } },
  }),
  'GET /v1/users': async (stage) => {
    await user(stage);
    return { path: '/v1/users?status=active&limit=1' };
  },
  'GET /v1/users/:userId': async (stage) => ({ path: `/v1/users/${await user(stage)}` }),
  'PATCH /v1/users/:userId': async (stage) => ({
    path: `/v1/users/${await user(stage)}`,
    body: { fullName: 'Ada King', phone: null },
  }),
  'POST /v1/attendance': async (stage) => ({ body: { userId: await user(stage), type: 'check_in' } }),
  'GET /v1/attendance': async (stage) => {
    await attendance(stage);
    return { path: '/v1/attendance?type=check_out&limit=1' };
  },
  'GET /v1/attendance/:attendanceId': async (stage) => ({
    path: `/v1/attendance/${await attendance(stage)}`,
  }),
  'POST /v1/registrations': async () => ({ body: { profile: { fullName: 'Ada', team: 'A' } } }),
  'GET /v1/registrations/:id': async (stage) => ({ path: `/v1/registrations/${await ceremony(stage)}` }),
  'DELETE /v1/registrations/:id': async (stage) => ({ path: `/v1/registrations/${await ceremony(stage)}` }),
  'POST /v1/registrations/pair-device': async ({ service, account }) => ({
    body: pairBody(await ceremonyBefore(service, account, 'pair-device')),
  }),
  'POST /v1/registrations/submit-commitment': async ({ service, account }) => ({
    body: commitBody(await ceremonyBefore(service, account, 'submit-commitment')),
  }),
  'POST /v1/registrations/complete': async ({ service, account }) => ({
    body: await completeBody(await ceremonyBefore(service, account, 'complete')),
  }),
  'GET /v1/audit': async () => ({ path: '/v1/audit?limit=2' }),
  'GET /v1/audit/export': bare,
  'GET /api/console/audit/export': async () => ({ path: '/api/console/audit/export?environment=test' }),
  'GET /v1/anchors/proof': anchoredHead,
  'POST /v1/identity/register': async () => ({
    body: {
      did: `did:svc:${crypto.randomUUID().replaceAll('-', '')}`,
      commitment: crypto.randomUUID().replaceAll('-', '').padStart(64, '0'),
    },
  }),
  'POST /v1/identity/verify': async ({ service, account }) => {
    const person = await registerPerson(service, account.key);
    return { body: await proveFor(service, person, { tenantId: account.tenantId }) };
  },
  'GET /v1/identity/me': withSession,
  'POST /v1/identity/refresh': async ({ service, account }) => {
    const { reply } = await openSession(service, account);
    return { body: { refreshToken: reply.body.refreshToken } };
  },
  'POST /v1/identity/logout': withSession,
  'POST /v1/identity/revoke': async ({ service, account }) => ({
    body: { did: (await registerPerson(service, account.key)).did },
  }),
  'GET /v1/auth/zkp/nonce': bare,
  'GET /v1/auth/zkp/circuit-info': bare,
  'POST /v1/proof-pairing/sessions': bare,
  'POST /v1/proof-pairing/sessions/:id/submit': async ({ service, account }) => {
    const person = await registerPerson(service, account.key);
    const { id, nonce } = await openPairing(service, account.key);
    return {
      path: `/v1/proof-pairing/sessions/${id}/submit`,
      body: await proveForPairing(person, { tenantId: account.tenantId, sessionId: id, nonce }),
    };
  },
  'GET /v1/proof-pairing/sessions/:id/stream': boundPairing('/stream'),
  'GET /v1/proof-pairing/sessions/:id': boundPairing(''),
  'GET /v1/proof-pairing/sessions/:id/public': async ({ service, account }) => {
    const { id } = await openPairing(service, account.key);
    return { path: `/v1/proof-pairing/sessions/${id}/public` };
  },
  'GET /v1/auth/saml/login': bare,
  'POST /v1/auth/saml/callback': async ({ service, account }) => ({
    body: await samlAnswer(service, await ssoKeyOf({ service, account })),
  }),
  'GET /v1/auth/saml/metadata': bare,
  'GET /v1/auth/oidc/authorize': bare,
  'POST /v1/auth/oidc/callback': async ({ service, account }) => ({
    body: await oidcAnswer(service, await ssoKeyOf({ service, account })),
  }),
  'GET /demo/idp/saml/sso': async ({ service, account }) => {
    const as = await ssoKeyOf({ service, account });
    const { body } = await service.call('GET', '/v1/auth/saml/login', { as });
    return { path: `${pathOf(body.redirectUrl)}&subject=sweep` };
  },
  'GET /demo/idp/saml/metadata': bare,
  'GET /demo/idp/oidc/authorize': async ({ service, account }) => {
    const as = await ssoKeyOf({ service, account });
    const { body } = await service.call('GET', '/v1/auth/oidc/authorize', { as });
    return { path: pathOf(body.authorizationUrl) };
  },
  'GET /demo/idp/.well-known/openid-configuration': bare,
  'GET /demo/idp/oidc/jwks': bare,
  'GET /api/admin/audit-integrity': async ({ account }) => ({
    path: `/api/admin/audit-integrity?tenantId=${account.tenantId}`,
  }),
  'GET /api/admin/stats': bare,
  'GET /api/admin/blockchain': bare,
  'GET /api/admin/privacy-audit': bare,
  'GET /api/leads': async () => ({ path: '/api/leads?type=pilot&limit=2' }),
  'GET /openapi.json': bare,
};

export const nameOf = (route: Route): string => `${route.method} ${route.path}`;

/** The routes' example; files of the circuit need nothing. */
export function exampleOf(route: Route): Example {
  const example = route.path.startsWith('/zk/') ? bare : EXAMPLES[nameOf(route)];
  if (example === undefined) throw new Error(`${nameOf(route)} has no example: add one to examples.ts`);
  return example;
}

export const isWrite = (route: Route): boolean => route.method !== 'GET';
export const isKeyed = (route: Route): boolean => route.auth.kind === 'key';
/** Asks for nothing that only some have. */
export const isOpen = (route: Route): boolean => ['none', 'legacy'].includes(route.auth.kind);

export interface Sending {
  /** In place of the account's own credential; null: none. */
  readonly as?: string | null;
  readonly prepared?: Prepared;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

const ssoKeys = new Map<string, Promise<string>>();
/** The account's key for simulated sign-on, which default keys are not; its own where none can be made. */
function ssoKeyOf({ service, account }: Stage): Promise<string> {
  const environment = account.key.startsWith('svc_test_') ? 'test' : 'live';
  const made = ssoKeys.get(account.key) ?? ssoKey(service, account, environment).catch(() => account.key);
  ssoKeys.set(account.key, made);
  return made;
}

const keyOf = (route: Route, stage: Stage): Promise<string> | string =>
  route.auth.kind === 'key' && /^(saml|oidc):/.test(route.auth.scope) ? ssoKeyOf(stage) : stage.account.key;

/** A path of the route's shape, for requests that never reach its rules. */
export const shapeOf = (route: Route): string =>
  route.path.replaceAll(/:\w+/g, '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b');

/** Sends a route's request with the account's credential of the kind that the route asks for. */
export async function send(route: Route, stage: Stage, sending: Sending = {}): Promise<Reply> {
  const { service, account } = stage;
  const { as, prepared = {}, raw, address = freshAddress() } = sending;
  const own = async () =>
    ({
      key: await keyOf(route, stage),
      console: account.token,
      admin: undefined,
      none: undefined,
      legacy: undefined,
    })[route.auth.kind];
  const credential = as === undefined ? await own() : (as ?? undefined);
  const admin = as === undefined && route.auth.kind === 'admin' ? { 'x-api-key': ADMIN_KEY } : {};
  const body = 'body' in sending ? sending.body : prepared.body;
  return service.call(route.method, prepared.path ?? shapeOf(route), {
    ...(credential !== undefined && { as: credential }),
    ...(raw === undefined ? body !== undefined && { body } : { raw }),
    headers: { ...admin, ...prepared.headers, ...sending.headers },
    address,
  });
}

/** Prepares the route's example for the account and sends it. */
export async function succeed(route: Route, stage: Stage): Promise<Reply> {
  const prepared = await exampleOf(route)(stage);
  return send(route, stage, { prepared });
}
