import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendLogouts } from '../../src/features/openid-provider/logouts.js';
import {
  authorization,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  signIn,
  startOidc,
} from '../support/oidc/oidc.js';
import { type Service, startService } from '../support/service.js';
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

const send = ({ app }: Service = oidc.service) => sendLogouts(app.deps, new AbortController().signal);

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

  it('is sent once by two nodes [D12.72]', async () => {
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
