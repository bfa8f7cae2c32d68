import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { sql } from '../../src/db/sql.js';
import { type Route, successStatus, takesPhone } from '../../src/http/route.js';
import { type Contract, FIVE, readContract } from '../support/contract/contract.js';
import { exampleOf, nameOf, type Stage, send } from '../support/contract/examples.js';
import { openPairing } from '../support/pairing.js';
import { type Account, freshAddress, type Reply, startService } from '../support/service.js';
import { accountOf } from '../support/several-phones.js';

const routes = routesOf('0.0.0-test');
const ofPhones = routes.filter(takesPhone);

let stage: Stage;
let stranger: Account;
let contract: Contract;

beforeAll(async () => {
  const service = await startService();
  stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
  stranger = await service.signUp({ plan: 'enterprise' });
  contract = await readContract(service);
});
afterAll(() => stage.service.close());

const resultOf = ({ status, body }: Reply) => [status, body.error];

/** The types of the actors in the account's audit log since an event, without those of the preparation. */
const actorsAfter = async (seq: number) =>
  (
    await stage.service.db.query<{ actor_type: string }>(sql`select actor_type from audit_events
      where tenant_id = ${stage.account.tenantId} and environment = 'live' and seq > ${seq} order by seq`)
  ).map(({ actor_type }) => actor_type);
const newestSeq = async () =>
  (
    await stage.service.db.query<{
      seq: number;
    }>(sql`select coalesce(max(seq), 0)::int as seq from audit_events
      where tenant_id = ${stage.account.tenantId} and environment = 'live'`)
  )[0]!.seq;

describe('a route that a phone may call without a key [phones/adding-without-a-key]', () => {
  it('is one of these, each with the address limit of its phones and a former path below /v1/phone', () => {
    expect(ofPhones.map(nameOf).sort()).toEqual([
      'POST /v1/attestation/challenges',
      'POST /v1/attestation/keys',
      'POST /v1/identity/add',
      'POST /v1/identity/rotate',
    ]);
    for (const { path, limit, handler } of ofPhones) {
      const former = routes.find((route) => route.path === path.replace('/v1/', '/v1/phone/'));
      expect(former).toMatchObject({ auth: { kind: 'none' }, successor: path });
      expect(former?.handler).toBe(handler);
      expect(former?.limit).toBe(limit);
      expect(limit).toMatchObject({ max: 600, windowSeconds: 60 });
    }
  });

  it('is none of a pairing: without a key they are 401, whether the session exists or not [phones/paths-of-a-pairing-without-a-key]', async () => {
    const { service, account } = stage;
    const ids = [(await openPairing(service, account.key)).id, randomUUID()];
    for (const [method, step] of [
      ['POST', 'submit'],
      ['GET', 'context'],
      ['POST', 'decline'],
    ] as const)
      for (const id of ids) {
        const body = method === 'POST' ? { body: accountOf(account) } : {};
        const reply = await service.call(method, `/v1/proof-pairing/sessions/${id}/${step}`, body);
        expect(resultOf(reply), step).toEqual([401, 'missing_api_key']);
      }
  });

  it('counts phones of an address, at both paths, and no callers with a key', async () => {
    const { service, account } = stage;
    const address = freshAddress();
    const call = (path: string, as?: string) =>
      service.call('POST', path, {
        body: { ...accountOf(account), did: 'did:svc:00' },
        ...(as !== undefined && { as }),
        address,
      });
    for (let at = 0; at < 300; at += 1) {
      expect((await call('/v1/attestation/challenges')).status).toBe(201);
      expect((await call('/v1/phone/attestation/challenges')).status).toBe(201);
    }
    for (const path of ['/v1/attestation/challenges', '/v1/phone/attestation/challenges'])
      expect(resultOf(await call(path)), path).toEqual([429, 'rate_limit_exceeded']);
    expect((await call('/v1/attestation/challenges', account.key)).status).toBe(201);
    expect(resultOf(await call('/v1/attestation/challenges', 'svc_live_0'))).toEqual([
      401,
      'invalid_api_key',
    ]);
  });
});

describe.each(ofPhones.map((route) => [nameOf(route), route] as const))(
  '%s, which a phone may call without a key',
  (_, route: Route) => {
    /** The route's example, as a caller with a key sends it. */
    let body: object;
    beforeEach(async () => {
      body = (await exampleOf(route)(stage)).body ?? {};
    });
    const sent = async (of: object, as: string | null, headers: Record<string, string> = {}) => {
      const reply = await send(route, stage, { as, headers, body: of });
      contract.expectReply(route, reply);
      return reply;
    };
    const own = () => accountOf(stage.account);

    it.each([
      ['without an account', () => ({})],
      ['with its own account', () => ({ ...own(), tenantId: stage.account.tenantId.toUpperCase() })],
    ])('accepts a key %s [phones/adding-without-a-key]', async (_, named) => {
      const before = await newestSeq();
      const reply = await sent({ ...body, ...named() }, stage.account.key);
      expect(reply.status, reply.text).toBe(successStatus(route));
      for (const name of FIVE) expect(reply.headers).toHaveProperty(name);
      for (const type of await actorsAfter(before)) expect(type).toBe('api_key');
    });

    it('accepts a phone that names its account, which no plan counts [phones/adding-without-a-key]', async () => {
      const before = await newestSeq();
      const reply = await sent({ ...body, ...own() }, null);
      expect(reply.status, reply.text).toBe(successStatus(route));
      for (const name of FIVE) expect(reply.headers).not.toHaveProperty(name);
      for (const type of await actorsAfter(before)) expect(type).toBe('phone');
    });

    it('requires a key or an account, whatever else the body has [phones/adding-without-a-key]', async () => {
      for (const other of [body, {}, [], 'text', null, { no_such_field: 1 }])
        expect(resultOf(await sent(other as object, null))).toEqual([401, 'missing_api_key']);
      const none = await send(route, stage, { as: null });
      expect(resultOf(none)).toEqual([401, 'missing_api_key']);
      const { tenantId, environment } = own();
      for (const [named, missing] of [
        [{ tenantId }, 'body.environment'],
        [{ environment }, 'body.tenantId'],
      ] as const) {
        const reply = await sent({ ...body, ...named }, null);
        expect(reply.status).toBe(400);
        expect(reply.body.details).toEqual([{ path: missing, message: 'is required' }]);
      }
    });

    it('rejects a key that is not valid, whatever account the body names [phones/adding-without-a-key]', async () => {
      const { account } = stage;
      for (const key of [`svc_live_${'0'.repeat(48)}`, account.token, 'svc_live_', ''])
        for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }])
          expect(resultOf(await sent({ ...body, ...own() }, null, headers)), key).toEqual([
            401,
            'invalid_api_key',
          ]);
      expect((await sent({ ...body, ...own() }, null)).status).toBe(successStatus(route));
    });

    it('gives a key beside another account what a phone of an unknown account gets [phones/adding-without-a-key]', async () => {
      const unknown = await sent({ ...body, ...own(), tenantId: randomUUID() }, null);
      for (const named of [
        { ...own(), environment: 'test' },
        { environment: 'test' },
        { tenantId: stranger.tenantId },
      ])
        expect(resultOf(await sent({ ...body, ...named }, stage.account.key))).toEqual(resultOf(unknown));
      // A proof for the key's account with another one, and one for the account that is named with a key of another.
      const theirs = await sent({ ...body, ...own() }, stranger.key);
      expect(resultOf(theirs)).toEqual(resultOf(unknown));
      expect((await sent(body, stage.account.key)).status).toBe(successStatus(route));
    });
  },
);
