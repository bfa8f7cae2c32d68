import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { createLogouts } from '../../src/features/openid-provider/logouts.js';
import {
  authorization,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  signIn,
  startOidc,
} from '../support/oidc/oidc.js';
import { dataOf } from '../support/oidc/page-data.js';
import { type Account, type Service, startService } from '../support/service.js';
import { LOOPBACK } from '../support/webhooks.js';

let oidc: OidcService;
beforeAll(async () => {
  oidc = await startOidc({ env: LOOPBACK });
});
afterAll(() => oidc.close());

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** An application that receives logout tokens. */
async function startReceiver(status: (before: number) => number = () => 200) {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      response.writeHead(status(tokens.length)).end();
      tokens.push(new URLSearchParams(text).get('logout_token') as string);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`, tokens };
}

async function signInTo(made: NewClient, person: Awaited<ReturnType<OidcService['person']>>) {
  const config = await discover(oidc, made);
  const { url, checks } = await authorization(config);
  return client.authorizationCodeGrant(config, await signIn(oidc, oidc.browser(), url, person), checks);
}

const revoke = async (did: string) => {
  const reply = await oidc.service.call('POST', '/v1/identity/revoke', {
    as: oidc.account.key,
    body: { did },
  });
  expect(reply.status, reply.text).toBe(200);
};

const never = new AbortController().signal;

/** Sends what is due, and waits until it has ended. */
async function send({ app }: Service = oidc.service) {
  const logouts = createLogouts(app.deps);
  await logouts.search(never);
  await logouts.settled();
}

const sent = async () =>
  (await oidc.service.call('GET', '/v1/audit?action=oidc.logout_sent&limit=100', { as: oidc.account.key }))
    .body.audit;

const verify = (token: string, audience: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${oidc.issuer}/jwks`)), {
    issuer: oidc.issuer,
    audience,
    typ: 'logout+jwt',
  });

describe('back-channel logout', () => {
  it('tells the client when an identity is revoked, and nobody else [oidc.logout_sent]', async () => {
    const receiver = await startReceiver();
    const made = await createClient(oidc, { subjectType: 'pairwise', backchannelLogoutUri: receiver.url });
    const [ada, bob] = [await oidc.person(), await oidc.person()];
    const tokens = await signInTo(made, ada);
    await signInTo(made, bob);
    await signInTo(await createClient(oidc), ada);
    await send();
    expect(receiver.tokens).toEqual([]);
    await revoke(ada.did);
    await send();
    await send();
    expect(receiver.tokens).toHaveLength(1);
    const { payload } = await verify(receiver.tokens[0] as string, made.clientId);
    expect(payload).toMatchObject({
      sub: tokens.claims()?.sub,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect(payload.nonce).toBeUndefined();
    expect(await sent()).toMatchObject([
      { status: 'success', entityType: 'oidc_grant', metadata: { clientId: made.clientId, attempt: 1 } },
    ]);
  });

  it('is repeated five times until the client accepts it', async () => {
    const receiver = await startReceiver((before) => (before < 2 ? 500 : 204));
    const made = await createClient(oidc, { backchannelLogoutUri: receiver.url });
    const ada = await oidc.person();
    await signInTo(made, ada);
    await revoke(ada.did);
    await send();
    await send();
    expect(receiver.tokens).toHaveLength(1);
    for (const ms of [10_000, 60_000, 10 * 60_000]) {
      oidc.service.clock.advance(ms - 1);
      await send();
      const before = receiver.tokens.length;
      oidc.service.clock.advance(1);
      await send();
      expect(receiver.tokens.length).toBe(before < 3 ? before + 1 : before);
    }
    expect(receiver.tokens).toHaveLength(3);
    const of = (await sent()).filter(
      (event: { metadata: { clientId: string } }) => event.metadata.clientId === made.clientId,
    );
    expect(of.map(({ status }: { status: string }) => status)).toEqual(['success', 'failure', 'failure']);
  });

  it.each([
    ['the sign-in ends', {}],
    ['offline access stays', { scope: 'openid offline_access', prompt: 'consent' }],
  ])(
    'is also repeated when the person signs out of the browser, and %s [openid/back-channel-logout]',
    async (_, extra: Record<string, string>) => {
      const receiver = await startReceiver((before) => (before === 0 ? 500 : 200));
      const made = await createClient(oidc, { backchannelLogoutUri: receiver.url });
      const [config, browser, ada] = [await discover(oidc, made), oidc.browser(), await oidc.person()];
      const { url, checks } = await authorization(config, extra);
      const tokens = await client.authorizationCodeGrant(
        config,
        await signIn(oidc, browser, url, ada),
        checks,
      );
      const page = await browser.open(
        client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token as string }).href,
      );
      const { action, xsrf } = dataOf(page);
      const left = await browser.send('POST', action, new URLSearchParams({ xsrf, logout: 'yes' }));
      expect(left.status).toBe(303);
      await send();
      await send();
      expect(receiver.tokens).toHaveLength(1);
      oidc.service.clock.advance(10_000);
      await send();
      await send();
      expect(receiver.tokens).toHaveLength(2);
      const { payload } = await verify(receiver.tokens[1] as string, made.clientId);
      expect(payload.sub).toBe(tokens.claims()?.sub);
    },
  );

  it('is sent once by two nodes [openid/back-channel-logout]', async () => {
    const other = await startService({
      clock: oidc.service.clock,
      db: oidc.service.db,
      env: { BASE_URL: oidc.baseUrl, ...LOOPBACK },
    });
    const receiver = await startReceiver();
    const made = await createClient(oidc, { backchannelLogoutUri: receiver.url });
    const ada = await oidc.person();
    for (let at = 0; at < 4; at += 1) await signInTo(made, ada);
    await revoke(ada.did);
    await Promise.all([send(), send(other), send(), send(other)]);
    expect(receiver.tokens).toHaveLength(4);
    await other.close();
  });

  it('goes to no client that was deleted, and does not fail because of it', async () => {
    const receiver = await startReceiver();
    const made = await createClient(oidc, { backchannelLogoutUri: receiver.url });
    const ada = await oidc.person();
    await signInTo(made, ada);
    await revoke(ada.did);
    const path = `/api/console/oidc/clients/${made.clientId}`;
    expect((await oidc.service.call('DELETE', path, { as: oidc.account.token })).status).toBe(200);
    await send();
    expect(receiver.tokens).toEqual([]);
  });

  it('ends after six attempts', async () => {
    const receiver = await startReceiver(() => 302);
    const made = await createClient(oidc, { backchannelLogoutUri: receiver.url });
    const ada = await oidc.person();
    await signInTo(made, ada);
    await revoke(ada.did);
    for (let round = 0; round < 9; round += 1) {
      await send();
      oidc.service.clock.advance(6 * 60 * 60_000);
    }
    expect(receiver.tokens).toHaveLength(6);
  });
});

describe('the logouts of several accounts [openid/back-channel-logout]', () => {
  /** An application that never responds. */
  async function startHanging() {
    const open = new Set<object>();
    const server = createServer((request) => {
      open.add(request);
      request.once('close', () => open.delete(request));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`, open };
  }

  async function accountWith(url: string) {
    const account = await oidc.service.signUp({ plan: 'enterprise' });
    const { clientId } = await createClient(
      { service: oidc.service, account },
      { backchannelLogoutUri: url },
    );
    return { account, clientId };
  }

  /** Sign-ins that ended a moment ago. */
  const end = ({ account, clientId }: { account: Account; clientId: string }, times: number) => {
    const now = new Date(oidc.service.clock.now());
    return oidc.service.db.query(sql`insert into oidc_grants (tenant_id, environment, id, client_id, user_id, identity_id,
        verification_id, scope, created_at, expires_at, ended_at, logout_at)
      select ${account.tenantId}::uuid, 'live', gen_random_uuid(), ${clientId}::uuid, gen_random_uuid(), gen_random_uuid(),
        gen_random_uuid(), 'openid', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, ${times}::int)`);
  };
  const attempts = async ({ account }: { account: Account }) =>
    (await oidc.service.call('GET', '/v1/audit?action=oidc.logout_sent&limit=100', { as: account.key })).body
      .audit;

  it('do not wait for those of an account whose receivers hang, which has two attempts at a time', async () => {
    const hanging = await startHanging();
    const receiver = await startReceiver();
    const [slow, good] = [await accountWith(hanging.url), await accountWith(receiver.url)];
    const logouts = createLogouts(oidc.service.app.deps);
    await end(slow, 150);
    await logouts.search(never);
    await vi.waitFor(() => expect(hanging.open.size).toBe(2));
    for (let times = 1; times <= 3; times += 1) {
      await end(good, 1);
      await logouts.search(never);
      await vi.waitFor(() => expect(receiver.tokens).toHaveLength(times));
    }
    expect(hanging.open.size, 'of the account whose receivers hang').toBe(2);
    // So that nothing is left for `settled`, also not to send again.
    await oidc.service.db.query(sql`delete from oidc_grants where tenant_id = ${slow.account.tenantId}`);
    await vi.waitFor(async () => {
      oidc.service.clock.advance(5_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(hanging.open.size).toBe(0);
    });
    await logouts.settled();
  });

  it('end after five seconds without a response', async () => {
    const hanging = await startHanging();
    const slow = await accountWith(hanging.url);
    const logouts = createLogouts(oidc.service.app.deps);
    await end(slow, 2);
    await logouts.search(never);
    await vi.waitFor(() => expect(hanging.open.size).toBe(2));
    oidc.service.clock.advance(4_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(hanging.open.size).toBe(2);
    oidc.service.clock.advance(1);
    await logouts.settled();
    expect((await attempts(slow)).map(({ status }: { status: string }) => status)).toEqual([
      'failure',
      'failure',
    ]);
  });

  it('end when the node stops: nothing more begins, and what is left is sent later', async () => {
    const hanging = await startHanging();
    const slow = await accountWith(hanging.url);
    const logouts = createLogouts(oidc.service.app.deps);
    const stopping = new AbortController();
    await end(slow, 5);
    await logouts.search(stopping.signal);
    await vi.waitFor(() => expect(hanging.open.size).toBe(2));
    stopping.abort();
    oidc.service.clock.advance(5_000);
    await logouts.settled();
    expect(await attempts(slow)).toHaveLength(2);
    await oidc.service.db.query(
      sql`update oidc_grants set logout_at = null where tenant_id = ${slow.account.tenantId}`,
    );
  });
});
