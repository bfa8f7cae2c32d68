import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { type Route, successStatus } from '../../src/http/route.js';
import type { Environment } from '../../src/model/environment.js';
import {
  addRecord,
  exampleOf,
  isKeyed,
  isOpen,
  keyOf,
  nameOf,
  type Prepared,
  send,
} from '../support/contract/examples.js';
import { openSession } from '../support/phone.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

const routes = routesOf('0.0.0-test');
const routeOf = (name: string) => routes.find((route) => nameOf(route) === name)!;
let service: Service;
let owner: Account;
/** Callers without access: another tenant, and the owner's key of the other environment. */
let strangers: { caller: string; account: Account }[];

beforeAll(async () => {
  service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  owner = await service.signUp({ plan: 'enterprise' });
  const other = await service.signUp({ plan: 'enterprise' });
  const test = await service.createKey(owner, 'test');
  strangers = [
    { caller: 'another tenant', account: other },
    { caller: 'the other environment', account: { ...owner, key: test } },
  ];
});
afterAll(() => service.close());

/** The status, body and header names of a response, without the request id. */
const seen = (reply: Reply) => {
  const { requestId: _, ...body } = reply.body;
  const names = Object.keys(reply.headers).sort();
  return { status: reply.status, body, names };
};

describe('a record in the path', () => {
  /** One for each kind of id. `routes.test.ts` tests that every route hides the records of others. */
  const kindOf = ({ auth, path }: Route) => `${auth.kind} ${/.*:(\w+)/.exec(path)?.[1]}`;
  const withParams = [
    ...new Map(
      routes
        .filter((route) => route.path.includes(':') && !/:(did|month)/.test(route.path) && !isOpen(route))
        .map((route) => [kindOf(route), route] as const),
    ).values(),
  ];

  it.each(withParams.map((route) => [nameOf(route), route] as const))(
    '%s accepts an id only in canonical form, in any letter case',
    async (_, route) => {
      const prepared = await exampleOf(route)({ service, account: owner });
      const path = prepared.path as string;
      const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(path) as unknown as [string];
      const at = (form: string): Prepared => ({ ...prepared, path: path.replace(id, form) });
      const forms = [
        `{${id}}`,
        `urn:uuid:${id}`,
        id.replaceAll('-', ''),
        `${id}%20`,
        `%20${id}`,
        `${id}%0a`,
        `${id}%00`,
        id.slice(0, -1),
        `${id}0`,
        '0',
        "'",
        '%27%20or%201=1--',
        'null',
        '__proto__',
      ];
      for (const form of forms) {
        const reply = await send(
          route,
          { service, account: owner },
          { prepared: at(encodeURI(form).replaceAll('%25', '%')) },
        );
        expect(reply.status, `${form}: ${reply.text}`).toBe(404);
      }
      const upper = await send(route, { service, account: owner }, { prepared: at(id.toUpperCase()) });
      expect(upper.status).toBe(successStatus(route));
    },
  );
});

describe('a record in the body', () => {
  it('of another tenant or environment is rejected as a verification’s device or user', async () => {
    const { person } = await openSession(service, owner);
    const device = await service.call('POST', '/v1/devices', { as: owner.key, body: { name: 'Gate' } });
    const route = routeOf('POST /v1/verifications');
    const event = { method: 'manual', result: 'pass' };
    for (const [field, id] of [
      ['deviceId', device.body.device.id],
      ['userId', person.userId],
    ]) {
      const own = await send(route, { service, account: owner }, { body: { ...event, [field]: id } });
      expect(own.status).toBe(201);
      expect(own.body.verification[field]).toBe(id);
      for (const { caller, account } of strangers) {
        const theirs = await send(route, { service, account }, { body: { ...event, [field]: id } });
        const missing = await send(
          route,
          { service, account },
          { body: { ...event, [field]: crypto.randomUUID() } },
        );
        expect(theirs.status, caller).toBe(404);
        expect(seen(theirs), caller).toEqual(seen(missing));
      }
    }
  });

  it.each([
    'POST /v1/identity/revoke',
    'POST /v1/identity/verify',
    'POST /v1/identity/refresh',
    'GET /v1/identity/me',
    'POST /v1/identity/logout',
  ])('%s rejects one of another tenant or environment like an unknown one', async (name) => {
    const route = routeOf(name);
    const prepared = await exampleOf(route)({ service, account: owner });
    for (const { caller, account } of strangers) {
      const theirs = await send(route, { service, account }, { prepared });
      expect([401, 404], caller).toContain(theirs.status);
      const unknown: Prepared = name.endsWith('revoke')
        ? { body: { did: 'did:svc:00' } }
        : name.endsWith('refresh')
          ? { body: { refreshToken: 'x'.repeat(43) } }
          : name.endsWith('verify')
            ? { body: { ...prepared.body, did: 'did:svc:00' } }
            : { headers: { 'x-session-token': 'x.y.z' } };
      const missing = await send(route, { service, account }, { prepared: unknown });
      expect(seen(theirs), caller).toEqual(seen(missing));
    }
    expect(
      (await send(route, { service, account: owner }, { prepared })).status,
      'the record is unchanged',
    ).toBe(200);
  });

  it('may have the same DID and externalId as one of another tenant or environment', async () => {
    const body = { did: 'did:svc:abcdef', commitment: '7'.padStart(64, '0'), externalId: 'employee-7' };
    const device = { name: 'Gate', externalId: 'gate-7' };
    for (const account of [owner, ...strangers.map((stranger) => stranger.account)]) {
      const as = account.key;
      expect((await service.call('POST', '/v1/identity/register', { as, body })).status).toBe(201);
      expect((await service.call('POST', '/v1/devices', { as, body: device })).status).toBe(201);
      expect((await service.call('POST', '/v1/devices', { as, body: device })).status).toBe(409);
    }
  });
});

describe('a list', () => {
  const lists = routes.filter(
    (route) =>
      isKeyed(route) &&
      // Their key is another one. server/test/webhooks/webhooks.test.ts tests whose rows they return.
      !route.path.startsWith('/v1/webhooks') &&
      // Only the live environment has any: server/test/anchors/anchors-list.test.ts.
      route.path !== '/v1/anchors' &&
      // It is of one site: server/test/time/sheets.test.ts.
      route.path !== '/v1/attendance/sheets' &&
      // Those below a record hide it: server/test/identity/persons.test.ts.
      !route.path.includes(':') &&
      JSON.stringify(route.schemas?.query ?? {}).includes('cursor'),
  );
  const collection = (reply: Reply): { id: string }[] =>
    Object.values(reply.body).find((value) => Array.isArray(value)) as { id: string }[];

  it('is covered by this sweep if it has pages', () => expect(lists.length).toBeGreaterThanOrEqual(5));

  it.each(lists.map((route) => [nameOf(route), route] as const))(
    '%s accepts a cursor only of its own tenant, environment and collection',
    async (_, route) => {
      for (let row = 0; row < 3; row += 1) await addRecord(route, { service, account: owner });
      const as = await keyOf(route, { service, account: owner });
      const first = await service.call('GET', `${route.path}?limit=1`, { as });
      const cursor: string = first.body.nextCursor;
      const second = await service.call('GET', `${route.path}?limit=1&cursor=${cursor}`, { as });
      expect(second.status).toBe(200);
      expect(collection(second)[0]!.id < collection(first)[0]!.id).toBe(true);
      for (const { caller, account } of strangers) {
        const theirs = await keyOf(route, { service, account });
        const reply = await service.call('GET', `${route.path}?cursor=${cursor}`, { as: theirs });
        expect(reply.status, caller).toBe(400);
        expect(reply.body.error).toBe('invalid_request');
      }
      const next = lists[(lists.indexOf(route) + 1) % lists.length] as Route;
      for (const other of [next]) {
        const own = await keyOf(other, { service, account: owner });
        const reply = await service.call('GET', `${other.path}?cursor=${cursor}`, { as: own });
        expect(reply.status, nameOf(other)).toBe(400);
      }
    },
  );

  it.each(lists.map((route) => [nameOf(route), route] as const))(
    '%s returns no row of another tenant or environment, and names its environment',
    async (_, route) => {
      const [, test] = strangers as [unknown, { account: Account }];
      const rows = new Map<string, Set<string>>();
      for (const [caller, account, environment] of [
        ['owner', owner, 'live'],
        ['other', strangers[0]!.account, 'live'],
        ['test', test.account, 'test'],
      ] as [string, Account, Environment][]) {
        const as = await keyOf(route, { service, account });
        const reply = await service.call('GET', `${route.path}?limit=100`, { as });
        expect(reply.body.environment).toBe(environment);
        for (const row of collection(reply) as { id: string; environment?: string }[]) {
          expect(row.environment ?? environment).toBe(environment);
          rows.set(row.id, (rows.get(row.id) ?? new Set()).add(caller));
        }
      }
      expect(rows.size).toBeGreaterThan(0);
      expect([...rows.values()].filter((caller) => caller.size > 1)).toEqual([]);
    },
  );
});
