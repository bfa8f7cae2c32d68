// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import {
  approve,
  approveOnPhone,
  authorization,
  CALLBACK,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  signIn,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { type Service, startService } from '../support/service.js';

/** Two nodes over one database, with the issuer of the first. */
let oidc: OidcService;
let second: Service;
let ada: Awaited<ReturnType<OidcService['person']>>;
const opened: RawDatabase[] = [];
beforeAll(async () => {
  const url = (await sharedDatabase()).url as string;
  const open = () => {
    const db = openPostgres({ url, connections: 6 });
    opened.push(db);
    return db;
  };
  oidc = await startOidc({ db: open() });
  second = await startService({ db: open(), clock: oidc.service.clock, env: { BASE_URL: oidc.baseUrl } });
  ada = await oidc.person();
});
afterAll(async () => {
  await second.close();
  await oidc.close();
  for (const node of [second, oidc.service]) await node.app.deps.meter.close();
  for (const db of opened) await db.close();
});

const basic = ({ clientId, clientSecret }: NewClient) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

const path = (name: string) => `/oidc/${oidc.account.tenantId}/live${name}`;

/** A form, sent to one of the nodes in turn. */
const send = (at: number, name: string, made: NewClient, form: Record<string, string>, headers = {}) =>
  (at % 2 === 0 ? oidc.service : second).call('POST', path(name), {
    raw: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(made),
      ...headers,
    },
  });

const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

async function codeOf(made: NewClient, extra = {}) {
  const config = await discover(oidc, made);
  const { url, checks } = await authorization(config, extra);
  const back = await signIn(oidc, oidc.browser(), url, ada);
  return {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') as string,
    redirect_uri: CALLBACK,
    code_verifier: checks.pkceCodeVerifier,
  };
}

const isActive = async (made: NewClient, token: string) =>
  (await send(1, '/introspect', made, { token })).body.active;

const actionsOf = async (action: string) =>
  (
    await oidc.service.db.query<{ count: number }>(
      sql`select count(*)::int as count from audit_events where tenant_id = ${oidc.account.tenantId} and action = ${action}`,
    )
  )[0]?.count;

describe('two nodes', () => {
  it('give one of 50 simultaneous requests tokens for a code, and end them because of the others', async () => {
    const made = await createClient(oidc);
    const form = await codeOf(made);
    const replies = await times(50, (at) => send(at, '/token', made, form));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await isActive(made, won[0]?.body.access_token)).toBe(false);
  });

  it('end the sign-in when a code is redeemed again later', async () => {
    const made = await createClient(oidc);
    const form = await codeOf(made, { scope: 'openid offline_access', prompt: 'consent' });
    const { body } = await send(0, '/token', made, form);
    expect(await isActive(made, body.access_token)).toBe(true);
    const before = (await actionsOf('oidc.grant_revoked')) ?? 0;
    expect((await send(1, '/token', made, form)).body.error).toBe('invalid_grant');
    expect(await isActive(made, body.access_token)).toBe(false);
    expect(await isActive(made, body.refresh_token)).toBe(false);
    expect(await actionsOf('oidc.grant_revoked')).toBe(before + 1);
  });

  it('rotate a refresh token once, and end the sign-in when it is used again', async () => {
    const made = await createClient(oidc);
    const { body } = await send(
      0,
      '/token',
      made,
      await codeOf(made, { scope: 'openid offline_access', prompt: 'consent' }),
    );
    const refresh = (refresh_token: string, at = 0) =>
      send(at, '/token', made, { grant_type: 'refresh_token', refresh_token });
    const next = await refresh(body.refresh_token);
    expect(next.status).toBe(200);
    expect((await refresh(body.refresh_token, 1)).body.error).toBe('invalid_grant');
    expect((await refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await isActive(made, next.body.access_token)).toBe(false);

    const other = await send(
      0,
      '/token',
      made,
      await codeOf(made, { scope: 'openid offline_access', prompt: 'consent' }),
    );
    const racers = await times(20, (at) => refresh(other.body.refresh_token, at));
    const won = racers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect((await refresh(won[0]?.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('spend a code whose request failed after it was found', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = await createClient(oidc, { type: 'web' });
    const form = await codeOf(made, { dpop_jkt: await calculateJwkThumbprint(await exportJWK(publicKey)) });
    const [missing, again] = [await send(0, '/token', made, form), await send(1, '/token', made, form)];
    for (const { status, body } of [missing, again])
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const [code] = await oidc.service.db.query<{ consumed_at: Date | null }>(
      sql`select consumed_at from oidc_state where tenant_id = ${oidc.account.tenantId} and kind = 'AuthorizationCode'
        order by expires_at desc limit 1`,
    );
    expect(code?.consumed_at).not.toBeNull();
  });

  it('accept a DPoP proof once', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    const proof = (claims: object) =>
      new SignJWT({ htm: 'POST', htu: `${oidc.issuer}/token`, jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt()
        .sign(privateKey);
    const made = await createClient(oidc, { requireDpop: true });
    const form = await codeOf(made);
    const { body } = await send(0, '/token', made, form, { dpop: await proof({}) });
    expect(body.token_type).toBe('DPoP');
    expect((await send(0, '/introspect', made, { token: body.access_token })).body.cnf.jkt).toBe(
      await calculateJwkThumbprint(jwk),
    );
    const ath = Buffer.from(
      await crypto.subtle.digest('SHA-256', Buffer.from(body.access_token as string)),
    ).toString('base64url');
    const dpop = await proof({ htm: 'GET', htu: `${oidc.issuer}/userinfo`, ath });
    const replies = await times(20, (at) =>
      (at % 2 === 0 ? oidc.service : second).call('GET', path('/userinfo'), {
        headers: { authorization: `DPoP ${body.access_token}`, dpop },
      }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });

  it('accept a client assertion once', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] };
    const made = await createClient(oidc, { tokenEndpointAuth: 'private_key_jwt', jwks });
    const client_assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(made.clientId)
      .setSubject(made.clientId)
      .setAudience(oidc.issuer)
      .setExpirationTime('1 min')
      .sign(privateKey);
    const replies = await times(20, (at) =>
      (at % 2 === 0 ? oidc.service : second).call('POST', path('/introspect'), {
        raw: new URLSearchParams({
          token: 'x',
          client_assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply.body.error).toBe('invalid_client');
  });

  it('complete a sign-in once, of 20 simultaneous requests', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const browser = oidc.browser();
    const uid = uidOf(await browser.open((await authorization(config)).url));
    const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
    await approveOnPhone(oidc, ada, session);
    const cookie = [...browser.cookies]
      .filter(([, { path: at }]) => at.startsWith('/sign-in'))
      .map(([name, { value }]) => `${name.split('|')[0]}=${value}`)
      .join('; ');
    const replies = await times(20, (at) =>
      (at % 2 === 0 ? oidc.service : second).call('POST', `/sign-in/${uid}/complete`, {
        body: { sessionId: session.id },
        headers: { cookie },
      }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200))
      expect([`${status} ${body.error}`]).toEqual(
        expect.arrayContaining([expect.stringMatching(/^409 sign_in_not_approved$|^404 sign_in_not_found$/)]),
      );
  });

  it('give one code for an approval, however often the browser goes on at the same time', async () => {
    const config = await discover(oidc, await createClient(oidc));
    const browser = oidc.browser();
    const uid = uidOf(await browser.open((await authorization(config)).url));
    const { pathname } = new URL(await approve(oidc, browser, uid, ada));
    const cookie = [...browser.cookies]
      .map(([name, { value }]) => `${name.split('|')[0]}=${value}`)
      .join('; ');
    const replies = await times(20, (at) =>
      (at % 2 === 0 ? oidc.service : second).call('GET', pathname, { headers: { cookie } }),
    );
    const codes = replies.filter(({ headers }) => /[?&]code=/.test(String(headers.location)));
    expect(codes).toHaveLength(1);
    for (const { status } of replies) expect(status).toBeLessThan(500);
  });
});
