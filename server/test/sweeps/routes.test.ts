// @module-tag embedded-ci

import { SEALING_ACTIONS } from '@svc/zk/records/kinds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { prepareHashing } from '../../src/features/sealing/sealing.js';
import {
  isMetered,
  neverStored,
  type Route,
  scopesOf,
  successStatus,
  takesPhone,
} from '../../src/http/route.js';
import { AUDIT_ACTIONS } from '../../src/model/audit-actions.js';
import * as exampleFixtures from '../../src/model/example-fixtures.js';
import { SCOPES } from '../../src/model/scopes.js';
import { AUDITED } from '../support/contract/audit-table.js';
import { type Census, prepareCensus } from '../support/contract/census.js';
import { type Contract, FIVE, readContract, SAFE_HEADERS, WITHOUT } from '../support/contract/contract.js';
import {
  exampleOf,
  isKeyed,
  isOpen,
  isWrite,
  keyOf,
  nameOf,
  type Prepared,
  type Stage,
  send,
  shapeOf,
} from '../support/contract/examples.js';
import { type CountingDatabase, countStatements, freshDatabase, isByTimer } from '../support/database.js';
import { giveHours } from '../support/members.js';
import { type Account, ADMIN_KEY, type Reply, type Service, startService } from '../support/service.js';

// One account, one example and one successful request for each route, and everything that must be true of it and of
// rejected requests beside it. What holds for a kind of route is tested once, in the other sweeps.

/** The secret of the other tests, because services with another one can't decrypt what this one seals. */
const SECRET = 'the secret of the tests, 32 bytes and more';
/**
 * A lead has no account and so no audit chain: nothing is audited (server/test/accounts/leads.test.ts). Logging out one browser
 * only deletes its cookie [console/logging-out-a-browser]. A test of a webhook is an attempt, and attempts are no events [events/webhooks]. Cancelling a sign-in, or consenting to it, changes
 * no record. A phone's list of identities is a POST because its proof is too long for an address.
 */
const UNCHAINED = [
  'POST /api/leads/pilot',
  'POST /api/leads/whitepaper',
  'DELETE /api/console/session',
  // Without mail, nothing is sent.
  'POST /api/console/password/forgot',
  'POST /v1/webhooks/:id/test',
  // Two phones exchange what they show each other. Nothing of a person changes.
  'POST /v1/phone/additions/:code/join',
  'POST /v1/phone/additions/:id/reveal',
  'POST /v1/phone/additions/:id/open',
  // A phone reads the company and the person, and takes nothing.
  'POST /v1/registrations/context',
  // A challenge, which changes nothing until an authenticator answers it.
  'POST /api/console/passkeys/options',
  'POST /api/console/session/passkey/options',
  'POST /api/console/step-up/options',
  'POST /api/console/invitations/options',
  'POST /sign-in/:uid/cancel',
  'POST /sign-in/:uid/consent',
  'POST /v1/phone/identity/list',
  'POST /v1/phone/approvals/list',
  'POST /v1/phone/browsers/list',
  'POST /v1/phone/attendance/list',
  'POST /v1/attendance/declared/month',
  // A token, which changes nothing until a phone proves.
  'POST /api/console/members/me/link',
  // Nothing is stored before somebody clocks in.
  'POST /v1/attendance/codes',
  // Nothing is stored before a challenge is spent.
  'POST /v1/attestation/challenges',
  'POST /v1/phone/attestation/challenges',
];
const routes = routesOf('0.0.0-test');
const events = new Map(AUDITED.map(([name, ...appended]) => [name, appended]));

let service: Service;
let db: CountingDatabase;
/** The line of each route in contract/statements.txt. */
const counted: string[] = [];
let contract: Contract;
let rows: () => Promise<Census>;
let stranger: Account;
/** For each scope, a key that has only this scope. */
const keys = new Map<string, string>();
/** Secrets that were sent or returned. Each may be returned once, and logged never. */
const known = new Set<string>([SECRET, ADMIN_KEY]);

beforeAll(async () => {
  // What is derived once for a database, such as keys, is derived by the same request in each run.
  db = countStatements((await freshDatabase()).db);
  service = await startService({ secret: SECRET, db });
  // Values that are sealed at the same time would each try to create the first sealing key.
  await prepareHashing(service.app.deps);
  contract = await readContract(service);
  rows = await prepareCensus(service.db);
  stranger = await service.signUp({ plan: 'enterprise' });
  await giveHours(service, stranger);
  // An account has at most ten active keys.
  let account = stranger;
  for (const [index, scope] of SCOPES.entries()) {
    if (index % 9 === 0) account = await service.signUp({ plan: 'enterprise' });
    keys.set(scope, await service.createKey(account, 'live', [scope]));
  }
});
afterAll(async () => {
  await service.close();
  await db.close();
});

const chain = (tenantId: string) =>
  service.db.query<{ id: string; action: string; event: string; summary: string; status: string }>(sql`
    select id, action, action || ' ' || actor_type || ' ' || entity_type as event, summary, status from audit_events
    where tenant_id = ${tenantId} order by environment, seq`);

const countEvents = async () =>
  (await service.db.query<{ n: number }>(sql`select count(*) as n from audit_events`))[0]!.n;

const json = { 'content-type': 'application/json' };

/** 401 without a credential, with one of another kind and with one in the address, whatever the body is. */
async function expectGuarded(route: Route, stage: Stage): Promise<void> {
  const { account } = stage;
  // A phone without a key names its account in the body, which has to be read for that.
  const raw = takesPhone(route) ? '{"no_such_field":1}' : '{"no_such_field":1';
  const bare = await send(route, stage, { as: null, headers: json, ...(isWrite(route) && { raw }) });
  expect(bare.status, 'without a credential').toBe(401);
  expect(bare.body).toEqual({
    error: WITHOUT[route.auth.kind],
    message: expect.any(String),
    docs: expect.any(String),
    requestId: expect.any(String),
  });
  contract.expectReply(route, bare);
  const wrong = {
    key: [account.token, ADMIN_KEY],
    console: [account.key, ADMIN_KEY],
    admin: [account.key, account.token, ADMIN_KEY.slice(0, 31), `${ADMIN_KEY} `],
    device: [account.key, account.token, ADMIN_KEY],
    staff: [account.key, account.token, ADMIN_KEY],
  }[route.auth.kind as 'key' | 'console' | 'admin' | 'device' | 'staff'];
  for (const credential of wrong) {
    const bearer = await send(route, stage, { as: credential });
    const header = await send(route, stage, { as: null, headers: { 'x-api-key': credential } });
    expect([bearer.status, header.status], 'with another credential').toEqual([401, 401]);
  }
  const query = `api_key=${account.key}&token=${account.token}`;
  expect((await service.call(route.method, `${route.path}?${query}`)).status, 'in the address').toBe(401);
}

/** 403 with a key that lacks a scope, but not with one that has nothing else. */
async function expectScoped(route: Route, stage: Stage): Promise<void> {
  const scopes = scopesOf(route);
  const [scope] = scopes;
  if (scope === undefined) return;
  const other = SCOPES[(SCOPES.indexOf(scope) + 1) % SCOPES.length] as string;
  const sent = { headers: json, ...(isWrite(route) && { raw: '{"no_such_field":1' }) };
  for (const lacking of [other, ...(scopes.length > 1 ? scopes : [])]) {
    const rejected = await send(route, stage, { as: keys.get(lacking) as string, ...sent });
    expect([rejected.status, rejected.body.error], `with ${lacking}`).toEqual([403, 'insufficient_scopes']);
    expect(rejected.headers).toHaveProperty('x-ratelimit-remaining');
    expect(rejected.headers['cache-control']).toBe('no-store');
    contract.expectReply(route, rejected);
  }
  const all = scopes.length > 1 ? await service.createKey(stage.account, 'live', scopes) : keys.get(scope);
  const admitted = await send(route, stage, { as: all as string, ...sent });
  expect(admitted.body?.error, `with ${scopes}: ${admitted.text}`).not.toBe('insufficient_scopes');
}

/** A write that is rejected for what it sends changes no row. */
async function expectStrict(route: Route, stage: Stage, prepared: Prepared): Promise<void> {
  const { account } = stage;
  const before = await rows();
  const rejected = [
    await send(route, stage, { prepared, body: { ...prepared.body, no_such_field: 1 } }),
    await send(route, stage, { prepared, body: { ...prepared.body, irisCode: 'AAAA' } }),
    await send(route, stage, { prepared, body: [] }),
    await send(route, stage, { prepared, raw: '{"a":', headers: json }),
    await send(route, stage, { prepared, raw: '<a/>', headers: { 'content-type': 'text/xml' } }),
    await service.call(route.method, `${prepared.path ?? route.path}?no_such_field=1`, {
      as: route.auth.kind === 'console' ? account.token : account.key,
      body: prepared.body ?? {},
    }),
  ];
  for (const reply of rejected) expect([400, 401, 403, 415], reply.text).toContain(reply.status);
  expect(await rows(), 'no row is changed').toEqual(before);
}

/** The status, body and header names of a response, without the request id. */
const seen = (reply: Reply) => {
  const { requestId: _, ...body } = reply.body;
  return { status: reply.status, body, names: Object.keys(reply.headers).sort() };
};

/** Another tenant, and the owner's key of the other environment, get the same 404 as for an unknown record. */
async function expectIsolated(route: Route, { account }: Stage, prepared: Prepared): Promise<void> {
  const test = isKeyed(route) && { ...account, key: await service.createKey(account, 'test') };
  for (const caller of [stranger, ...(test ? [test] : [])]) {
    const theirs = await send(route, { service, account: caller }, { prepared });
    const unknown = { ...prepared, path: shapeOf(route) };
    const missing = await send(route, { service, account: caller }, { prepared: unknown });
    expect(theirs.status, theirs.text).toBe(404);
    expect(seen(theirs)).toEqual(seen(missing));
  }
}

function expectSuccess(route: Route, { account }: Stage, reply: Reply): void {
  // Some pages of the OpenID Provider redirect instead, which their list of replies says.
  expect(Object.keys(route.replies).map(Number), reply.text).toContain(reply.status);
  if (!route.raw) expect(reply.status).toBe(successStatus(route));
  contract.expectReply(route, reply);
  expect(reply.headers).toMatchObject(SAFE_HEADERS);
  if (neverStored(route)) expect(reply.headers['cache-control']).toBe('no-store');
  if (!isMetered(route)) {
    for (const name of FIVE) expect(reply.headers).not.toHaveProperty(name);
    return;
  }
  expect(reply.headers['x-ratelimit-limit']).toBe('10000');
  expect(reply.headers['x-ratelimit-remaining']).toMatch(/^[0-9]{4}$/);
  const reset = Number(reply.headers['x-ratelimit-reset']) * 1000 - service.clock.now();
  expect(reset).toBeGreaterThan(0);
  expect(reset).toBeLessThanOrEqual(900_000);
  expect(reply.headers['x-svc-tenant']).toBe(account.tenantId);
  expect(reply.headers['x-svc-plan']).toBe('enterprise');
}

/** `before` has the ids of the account's events before the request, and the number of all events. */
async function expectAudited(
  route: Route,
  { account }: Stage,
  reply: Reply,
  before: { readonly ids: ReadonlySet<string>; readonly count: number },
) {
  const tenantId: string = reply.body?.tenant?.id ?? account.tenantId;
  const added = (await chain(tenantId)).filter(({ id }) => !before.ids.has(id));
  const expected = events.get(nameOf(route));
  if (expected !== undefined) expect(added.map(({ event }) => event)).toEqual(expected);
  else expect(await countEvents()).toBeGreaterThan(before.count);
  for (const { action, summary, status } of added)
    expect([summary, status]).toEqual([AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS], 'success']);
  const integrity = await service.call('GET', `/api/admin/audit-integrity?tenantId=${tenantId}`, {
    headers: { 'x-api-key': ADMIN_KEY },
  });
  expect(integrity.body).toMatchObject({ status: 'pass', partial: false });
  expect(integrity.body.chains).toHaveLength(2);
}

/** The examples in the documents contain these. They are not real secrets. */
const invented = new Set<string>([
  ...Object.values(exampleFixtures.secrets),
  exampleFixtures.code,
  exampleFixtures.challengeNonce,
]);
/** The secrets in a response: raw keys, tokens, one-time codes, an identity's secrets. */
const secretsIn = (text: string): string[] =>
  [
    ...(text.match(/svc_(live|test)_[0-9a-f]{48}/g) ?? []),
    ...(text.match(/whsec_[\w+/]{43}=/g) ?? []),
    ...(text.match(/(svc_(?:device|staff)_)?eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? []),
    ...(text.match(/SV-[0-9A-Z]{4}-[0-9A-Z]{4}/g) ?? []),
    ...[...text.matchAll(/"challenge_nonce":"([^"]+)"/g)].map(([, nonce]) => nonce as string),
    ...[...text.matchAll(/"(?:biometricSecret|salt)":"([^"]+)"/g)].map(([, value]) => value as string),
    ...[...text.matchAll(/"clientSecret":"([^"]+)"/g)].map(([, secret]) => secret as string),
    ...[...text.matchAll(/"refreshToken":"([^"]+)"/g)].map(([, token]) => token as string),
    ...[...text.matchAll(/\/(?:dashboard\/\w+|inspection)#([\w-]{43,})"/g)].map(
      ([, token]) => token as string,
    ),
  ].filter((secret) => !invented.has(secret));

function expectNothingKnown({ text }: Reply): void {
  expect(
    [...known].filter((secret) => text.includes(secret)),
    'returns secrets again',
  ).toEqual([]);
}

async function expectSecrets(route: Route, stage: Stage, reply: Reply): Promise<void> {
  const hashes = await service.db.query<{ value: string }>(sql`
    select password_hash as value from tenants where id = ${stage.account.tenantId}
    union all select key_hash from api_keys where tenant_id = ${stage.account.tenantId}
    union all select token_hash from refresh_tokens where tenant_id = ${stage.account.tenantId}`);
  for (const { value } of hashes) known.add(value);
  expectNothingKnown(reply);
  const fresh = secretsIn(reply.text);
  expect(fresh.length > 0, 'a route that returns a secret must be declared secret').toBe(
    route.secret === true,
  );
  for (const secret of fresh) known.add(secret);
  if (isWrite(route)) expectNothingKnown(await send(route, stage, { body: { password: [], key: 1 } }));
}

const NOT_COUNTED = [
  // They read all accounts that there are.
  'GET /api/admin/privacy-audit',
  'GET /api/admin/audit-integrity',
  // On a busy machine, it sent one statement more.
  'POST /oidc/:tenantId/:environment/device',
];

/** Sends the request, and counts what the service sends to the database for it. */
async function sendCounted(route: Route, stage: Stage, prepared: Prepared): Promise<Reply> {
  // Also creates the credential, which is no part of the request.
  await keyOf(route, stage);
  db.statements.length = 0;
  db.roundTrips = 0;
  const reply = await send(route, stage, { prepared });
  const statements = db.statements.filter((text) => !isByTimer(text)).length;
  if (!NOT_COUNTED.includes(nameOf(route)))
    counted.push(`${route.method.padEnd(7)} ${route.path.padEnd(62)} ${statements} ${db.roundTrips}`);
  return reply;
}

/** Names the scope and the events, which the table of proofs looks for. */
function titleOf(route: Route): string {
  const appended = events.get(nameOf(route));
  const parts = [
    ...scopesOf(route).map((scope) => `needs ${scope}`),
    ...(appended ? [`appends ${appended.join(', ')}`] : []),
    'keeps the contract',
  ];
  return `${nameOf(route)} ${parts.join(', ')}`;
}

describe('every route', () => {
  let last: Stage;

  it.each(routes.map((route) => [titleOf(route), route] as const))(
    '%s [http/statuses-of-success] [http/headers]',
    async (_, route) => {
      const account = await service.signUp({ plan: 'enterprise' });
      const stage = { service, account };
      // Console tokens issued in the same second are equal.
      service.clock.advance(1_000);
      for (const secret of [account.password, account.key, account.token]) known.add(secret);
      if (!isOpen(route)) await expectGuarded(route, stage);
      await expectScoped(route, stage);
      const prepared = await exampleOf(route)(stage);
      for (const secret of secretsIn(JSON.stringify(prepared))) known.add(secret);
      // Those of the OpenID Provider's library have their own tests, in server/test/oidc/.
      if (isWrite(route) && !route.raw) await expectStrict(route, stage, prepared);
      const isOfRecord = route.path.includes(':') && !route.path.includes(':month');
      if (isOfRecord && !isOpen(route) && prepared.credentials === undefined)
        await expectIsolated(route, stage, prepared);
      const ids = new Set((await chain(account.tenantId)).map(({ id }) => id));
      const before = { ids, count: await countEvents() };
      const reply = await sendCounted(route, stage, prepared);
      expectSuccess(route, stage, reply);
      await expectSecrets(route, stage, reply);
      const isChained = isWrite(route) && !route.raw && !UNCHAINED.includes(nameOf(route));
      if (isChained || events.has(nameOf(route))) await expectAudited(route, stage, reply, before);
      last = stage;
    },
  );

  it('sends as many statements to the database as contract/statements.txt says', async () => {
    const head =
      '# METHOD PATH statements round-trips, of the example of each route. `npm test -- sweeps/routes -u` writes it.';
    await expect([head, ...counted, ''].join('\n')).toMatchFileSnapshot('../../../contract/statements.txt');
  });

  it('leaves a seal, or says that what is sealed stays the same, in each entry of an action that seals [audit/when-records-are-sealed]', async () => {
    const entries = await service.db.query<{ action: string; metadata: Record<string, unknown> }>(
      sql`select action, metadata from audit_events where status = 'success' and action = any(${[...SEALING_ACTIONS]}::text[])`,
    );
    // A job writes that one.
    const actions = [...entries.map(({ action }) => action), 'registration.expired'];
    expect(new Set(actions)).toEqual(SEALING_ACTIONS);
    const lacking = entries.filter(({ metadata }) => !('seal' in metadata) && metadata.sealed !== 'same');
    expect(lacking).toEqual([]);
  });

  it('returns no secret again in any list, and none is logged', async () => {
    for (const route of routes.filter(({ method, path }) => method === 'GET' && !path.includes(':')))
      expectNothingKnown(await send(route, last));
    const log = service.logged.join('\n');
    expect([...known].filter((secret) => log.includes(secret))).toEqual([]);
  });
});

describe('the list of routes', () => {
  it('has a code for each id in a path, and every audited route of the table', () => {
    const withoutCode = routes.filter(({ path, schemas, raw }) =>
      [...path.matchAll(/:(\w+)/g)].some(
        ([, name]) =>
          !raw &&
          schemas?.params?.[name as string] === undefined &&
          schemas?.forms?.[name as string] === undefined,
      ),
    );
    expect(withoutCode.map(nameOf)).toEqual([]);
    const names = new Set(routes.map(nameOf));
    expect([...events.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
