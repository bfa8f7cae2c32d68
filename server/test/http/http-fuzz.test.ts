// @module-tag if-touched @core contract/: random requests
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { ErrorCode } from '../../src/base/errors.js';
import type { Route } from '../../src/http/route.js';
import { type Census, prepareCensus } from '../support/contract/census.js';
import { type Contract, readContract } from '../support/contract/contract.js';
import {
  exampleOf,
  isWrite,
  nameOf,
  type Prepared,
  type SendOptions,
  type Stage,
  send,
} from '../support/contract/examples.js';
import { bodiesOf, headersOf, pathsOf, queriesOf, rawBodies } from '../support/contract/generate.js';
import { databaseKind } from '../support/database.js';
import { type Reply, startService } from '../support/service.js';

/** Part of the suite's name, so that every report contains it. Each database gets different requests. */
const SEED = databaseKind === 'postgres' ? 20_260_512 : 20_260_513;
const TIMES = Number(process.env.HTTP_FUZZ_TIMES ?? 1);
const routes = routesOf('0.0.0-test').filter((route) => !route.path.startsWith('/zk/'));
let stage: Stage;
let contract: Contract;
let loggedInAt = 0;

beforeAll(async () => {
  const service = await startService({ env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  loggedInAt = service.clock.now();
  // Requests that wait for an event end when their time is over.
  setInterval(() => service.app.deps.streams.size > 0 && service.clock.advance(25_000), 20).unref();
  contract = await readContract(service);
  census = await prepareCensus(service.db);
  // The first request to these creates rows even if it fails.
  for (const path of ['/api/auth/zkp/nonce', '/demo/idp/saml/metadata', '/demo/idp/oidc/jwks'])
    await service.call('GET', path);
});
afterAll(() => stage.service.close());
beforeEach(async () => {
  const { service, account } = stage;
  await service.clock.advance(16 * 60_000);
  // A console token is valid for a day.
  if (service.clock.now() < loggedInAt + 12 * 60 * 60_000) return;
  const { email, password } = account;
  const { body } = await service.call('POST', '/api/console/login', { body: { email, password } });
  stage = { service, account: { ...account, token: body.token } };
  loggedInAt = service.clock.now();
});

/** Errors that are recorded themselves: a failed attempt, a reused token. */
const RECORDED: readonly ErrorCode[] = [
  'verification_failed',
  'proof_verification_failed',
  'verify_failed',
  'sso_failed',
  'invalid_refresh_token',
  'pairing_nonce_mismatch',
  'device_attestation_required',
  'device_attestation_insufficient',
];

/** A wrong password is recorded after its response. What these change is tested in accounts/login-failures.test.ts. */
const RECORDS_LATER = ['POST /api/console/login', 'POST /api/console/session'];

let census: () => Promise<Census>;

/** Fewer runs for routes that run Argon2 or verify a proof: these are slow, and not the subject here. */
const runsFor = (route: Route) =>
  TIMES *
  (/password|signup|login|identity\/verify|zkp\/verify/.test(route.path) ? 10 : isWrite(route) ? 20 : 10);

const freshStage = async (): Promise<Stage> => ({
  ...stage,
  account: await stage.service.signUp({ plan: 'enterprise' }),
});

function asForm(body: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}

/** Arbitrary requests to this operation. */
function sendings(route: Route, prepared: Prepared): fc.Arbitrary<SendOptions> {
  const { document } = contract;
  const operation = contract.operationOf(route);
  const media = operation.requestBody?.content ?? {};
  const { schema, example } = media['application/json'] ?? {};
  const body = schema
    ? bodiesOf(document, schema, [example, prepared.body])
    : fc.constantFrom(undefined, {}, [], 1);
  const form = 'application/x-www-form-urlencoded';
  const written: fc.Arbitrary<SendOptions>[] = [body.map((value) => ({ body: value }))];
  if (media[form] !== undefined)
    written.push(
      body
        .filter((value) => typeof value === 'object' && value !== null)
        .map((value) => ({ raw: asForm(value as object), headers: { 'content-type': form } })),
    );
  const raw = rawBodies.map(([text, type]) => ({
    raw: text,
    headers: type === '' ? {} : { 'content-type': type },
  }));
  const sent: fc.Arbitrary<SendOptions> = isWrite(route)
    ? fc.oneof(
        { weight: 7, arbitrary: fc.oneof(...written) },
        { weight: 1, arbitrary: raw as fc.Arbitrary<SendOptions> },
      )
    : fc.constant({});
  const [target, knownQuery = ''] = (prepared.path ?? route.path).split('?', 2) as [string, string?];
  const query = fc.oneof(fc.constant(knownQuery), queriesOf(document, operation.parameters));
  const credential = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom({ as: null }, { as: 'svc_test_0' }, { as: 'x.y.z' }) },
  );
  return fc
    .tuple(
      sent,
      pathsOf(route.path, target),
      query,
      headersOf(operation.parameters, prepared.headers ?? {}),
      credential,
    )
    .map(([what, path, text, headers, as]) => ({
      ...what,
      ...as,
      prepared: { path: text === '' ? path : `${path}?${text}`, headers },
    }));
}

describe(`for arbitrary requests (seed ${SEED})`, () => {
  it.each(routes.map((route) => [nameOf(route), route] as const))(
    '%s responds as documented, never returns 5xx, and changes nothing when it fails',
    async (_, route) => {
      // Some of these end the account's tokens, and some reach its limit of ten keys.
      const isConsole = route.path.startsWith('/api/console/');
      let own = isConsole ? await freshStage() : stage;
      const prepared = await exampleOf(route)(own);
      let run = 0;
      const expectDocumentedReply = async (sending: SendOptions): Promise<Reply> => {
        run += 1;
        // The OpenID Provider's library stores what belongs to a browser, also when it shows an error.
        const isCounted = run % 5 === 0 && !route.raw && !RECORDS_LATER.includes(nameOf(route));
        const before = isCounted ? await census() : undefined;
        const reply = await send(route, own, sending);
        expect(reply.status, reply.text).toBeLessThan(500);
        contract.expectReply(route, reply);
        if (before !== undefined && reply.status >= 400 && !RECORDED.includes(reply.body.error))
          expect(await census(), `${reply.body.error} changed something`).toEqual(before);
        return reply;
      };
      await fc.assert(
        fc.asyncProperty(sendings(route, prepared), async (sending) => {
          const reply = await expectDocumentedReply(sending);
          const endsTokens = /\/(logout|password)$/.test(route.path) && reply.status === 200;
          if (isConsole && endsTokens) own = await freshStage();
        }),
        { numRuns: runsFor(route), seed: SEED },
      );
    },
  );

  it('the audit chains are valid afterwards', async () => {
    const { service, account } = stage;
    const [integrity] = routes.filter((route) => route.path === '/api/admin/audit-integrity');
    const prepared = { path: `/api/admin/audit-integrity?tenantId=${account.tenantId}` };
    expect((await send(integrity!, { service, account }, { prepared })).body.status).toBe('pass');
  });
});
