import type { Route } from '../../src/kernel/route.js';
import { openSession, proveFor, registerPerson } from './phone.js';
import { type Account, ADMIN_KEY, type Reply, type Service } from './service.js';

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

async function device({ service, account }: Stage): Promise<string> {
  const reply = await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Gate' } });
  return reply.body.device.id;
}

const withSession: Example = async ({ service, account }) => {
  const { reply } = await openSession(service, account);
  return { headers: { 'x-session-token': reply.body.accessToken } };
};

let signups = 0;

/** A request that succeeds for every route, by `METHOD path`. The sweeps fail for a route that has none. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'GET /api/health': bare,
  'GET /api/health/live': bare,
  'GET /api/health/ready': bare,
  'POST /api/console/signup': async () => {
    signups += 1;
    const email = `sweep${signups}.${process.pid}.${Date.now()}@example.com`;
    return { body: { email, password: 'a quite unusual sentence 42', companyName: 'Sweep' } };
  },
  'POST /api/console/login': async ({ account: { email, password } }) => ({ body: { email, password } }),
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
  'PATCH /v1/devices/:deviceId': async (stage) => ({
    path: `/v1/devices/${await device(stage)}`,
    body: { name: 'Back gate', locationId: null, lastSeenAt: '2026-05-12T09:00:00.000Z' },
  }),
  'POST /v1/verifications': async () => ({
    body: { method: 'manual', result: 'pass', confidenceScore: 99.5, metadata: { desk: 'B' } },
  }),
  'GET /v1/verifications': async ({ service, account }) => {
    const body = { method: 'face', result: 'challenge' };
    await service.call('POST', '/v1/verifications', { as: account.key, body });
    return { path: '/v1/verifications?limit=1' };
  },
  'GET /v1/audit': async () => ({ path: '/v1/audit?limit=2' }),
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
  'GET /api/admin/audit-integrity': async ({ account }) => ({
    path: `/api/admin/audit-integrity?tenantId=${account.tenantId}`,
  }),
  'GET /openapi.json': bare,
  'GET /': bare,
  'GET /docs': bare,
  'GET /docs/': bare,
  'GET /docs/errors': bare,
  'GET /docs/style.css': bare,
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

export interface Sending {
  /** In place of the account's own credential; null: none. */
  readonly as?: string | null;
  readonly prepared?: Prepared;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

let addresses = 0;
/** Documentation addresses, never the same one twice, so that no address window is shared between tests. */
export function freshAddress(): string {
  addresses += 1;
  return `100.${64 + ((addresses >> 16) & 63)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** A path of the route's shape, for requests that never reach its rules. */
export const shapeOf = (route: Route): string =>
  route.path.replaceAll(/:\w+/g, '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b');

/** Sends a route's request with the account's credential of the kind that the route asks for. */
export function send(route: Route, { service, account }: Stage, sending: Sending = {}): Promise<Reply> {
  const { as, prepared = {}, raw, address = freshAddress() } = sending;
  const own = { key: account.key, console: account.token, admin: undefined, none: undefined };
  const credential = as === null ? undefined : (as ?? own[route.auth.kind]);
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
