// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw, sql } from '../../src/db/sql.js';
import { oidcPublic } from '../../src/features/openid-provider/openid-provider.public.js';
import {
  approve,
  authorization,
  createClient,
  discover,
  type NewClient,
  type OidcService,
  startOidc,
  uidOf,
} from '../support/oidc/oidc.js';
import { freshAddress } from '../support/service.js';

let oidc: OidcService;
let made: NewClient;
let ada: Awaited<ReturnType<OidcService['person']>>;
beforeAll(async () => {
  oidc = await startOidc();
  made = await createClient(oidc);
  ada = await oidc.person();
});
afterAll(() => oidc.close());

const MOUNT = '/oidc/:tenantId/:environment';
const at = (path: string) =>
  `/oidc/${oidc.account.tenantId}/live${path.replace(MOUNT, '').replace(':uid', 'x'.repeat(21))}`;
const POSTS = oidcPublic.filter(({ method }) => method === 'POST');
const GETS = oidcPublic.filter(({ method }) => method === 'GET');

const FIELDS = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'grant_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'device_code',
  'user_code',
  'token',
  'token_type_hint',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'acr_values',
  'claims',
  'id_token_hint',
  'logout_hint',
  'post_logout_redirect_uri',
  'response_type',
  'response_mode',
  'resource',
  'dpop_jkt',
  'ui_locales',
  'xsrf',
  'confirm',
];
const TEXTS = [
  '',
  '\0',
  'a\0b',
  '\r\nset-cookie: x=y',
  '\ud800',
  '%',
  '%00',
  '{"a":1}',
  "' or 1=1 --",
  '💥',
  'x'.repeat(10_240),
  '__proto__',
  '../../..',
  'eyJhbGciOiJub25lIn0.e30.',
];

describe('no input is a server error', () => {
  const basic = () => `Basic ${Buffer.from(`${made.clientId}:${made.clientSecret}`).toString('base64')}`;

  const post = async (path: string, fields: Record<string, string>) => {
    const hasClient = 'client_id' in fields || 'client_secret' in fields;
    const reply = await oidc.service.call('POST', at(path), {
      raw: new URLSearchParams({ grant_type: 'authorization_code', ...fields }).toString(),
      address: freshAddress(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(!hasClient && { authorization: basic() }),
      },
    });
    const what = `${path} ${JSON.stringify(fields).slice(0, 100)}`;
    expect(reply.status, what).toBeLessThan(500);
    expect(reply.headers['set-cookie'] ?? '', what).not.toContain('x=y');
  };

  it('in a single field', async () => {
    for (const { path } of POSTS)
      for (const name of FIELDS)
        for (const text of ['\0', '\r\nset-cookie: x=y', 'x'.repeat(10_240)])
          await post(path, { [name]: text });
  });

  it('in all fields', async () => {
    for (const text of TEXTS) {
      const all = Object.fromEntries(FIELDS.map((name) => [name, text]));
      for (const { path } of POSTS) {
        await post(path, all);
        const { client_id: _, client_secret: _secret, client_assertion: _assertion, ...others } = all;
        await post(path, others);
      }
    }
  });

  it('in a query', async () => {
    const { url } = await authorization(await discover(oidc, made));
    for (const { path } of GETS)
      for (const name of FIELDS)
        for (const text of ['\0', '\r\nset-cookie: x=y', '💥']) {
          const query = new URL(url).searchParams;
          query.set(name, text);
          const reply = await oidc.service.call('GET', `${at(path)}?${query}`, { address: freshAddress() });
          expect(reply.status, `${path} ${name}`).toBeLessThan(500);
          expect(reply.headers['set-cookie'] ?? '').not.toContain('x=y');
        }
  });

  it('as bodies that are too large, of another type, or not what they claim to be', async () => {
    const form = 'application/x-www-form-urlencoded';
    const bodies: [string, string | Buffer, Record<string, string>?][] = [
      [form, 'x='.padEnd(56 * 1024 + 1, 'x')],
      [form, 'x='.padEnd(900 * 1024, 'x')],
      [form, Array.from({ length: 5_000 }, (_, n) => `a${n}=1`).join('&')],
      [form, 'grant_type=a&grant_type=b&client_id=c&client_id=d&xsrf=1&xsrf=2'],
      [form, randomBytes(1_000)],
      [form, '%&%&%==='],
      [`${form}; charset=utf-16`, 'a=b'],
      [`${form}; charset=nonsense`, 'a=b'],
      [form, 'a=b', { 'content-encoding': 'gzip' }],
      ['application/json', '{"grant_type":"authorization_code"}'],
      ['application/json', '{'],
      ['multipart/form-data', 'x'],
      ['text/plain', 'x'],
      ['', 'x'],
      ['\t', 'x'],
    ];
    for (const { path } of POSTS)
      for (const [type, raw, headers] of bodies) {
        const reply = await oidc.service.call('POST', at(path), {
          raw,
          address: freshAddress(),
          headers: { ...(type && { 'content-type': type }), ...headers },
        });
        expect(reply.status, `${path} ${type} ${raw.length}`).toBeGreaterThanOrEqual(300);
        expect(reply.status, `${path} ${type} ${raw.length}`).toBeLessThan(500);
      }
  });

  it('in headers', async () => {
    for (const headers of [
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${Buffer.from('%:%').toString('base64')}` },
      { authorization: `Basic ${Buffer.from('a\0b:c').toString('base64')}` },
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${'x'.repeat(10_000)}` },
      { authorization: 'DPoP x', dpop: 'x' },
      { dpop: 'a.b.c' },
      { dpop: `${Buffer.from('{"alg":"none","typ":"dpop+jwt","jwk":{}}').toString('base64url')}.e30.` },
      { cookie: 'svc_oidc=x; svc_oidc.sig=x; svc_sign_in=x; svc_oidc_resume=x' },
      { cookie: `svc_oidc=${'x'.repeat(9_000)}` },
      { origin: 'null', accept: 'application/json' },
      { 'oauth-client-attestation': 'x', 'oauth-client-attestation-pop': 'x' },
      { range: 'bytes=0-1', 'if-modified-since': 'x', te: 'x' },
    ] as Record<string, string>[])
      for (const { method, path } of oidcPublic) {
        const reply = await oidc.service.call(method, at(path), { headers, address: freshAddress() });
        expect(reply.status, `${method} ${path} ${JSON.stringify(headers).slice(0, 80)}`).toBeLessThan(500);
      }
  });

  it('cannot end the data of a page', async () => {
    const evil = '</script><script>alert(1)</script>';
    for (const path of [
      `/auth?client_id=${encodeURIComponent(evil)}`,
      `/session/end?client_id=${encodeURIComponent(evil)}`,
      `/auth?client_id=${made.clientId}&redirect_uri=${encodeURIComponent(evil)}`,
    ]) {
      const reply = await oidc.service.call('GET', at(path), { headers: { accept: 'text/html' } });
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain('<script>alert');
      expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});

it('keeps no secret of a sign-in in the log, in tables or in the audit', async () => {
  const config = await discover(oidc, made);
  const browser = oidc.browser();
  const { url, checks } = await authorization(config, {
    scope: 'openid offline_access',
    prompt: 'consent',
    login_hint: ada.externalId,
  });
  const uid = uidOf(await browser.open(url));
  const cookies = [...browser.cookies].map(([, { value }]) => value);
  const back = new URL((await browser.open(await approve(oidc, browser, uid, ada))).location as string);
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  await client.refreshTokenGrant(config, tokens.refresh_token as string);
  await client.fetchUserInfo(config, tokens.access_token, ada.userId);
  const device = await createClient(oidc, { type: 'device', redirectUris: [], tokenEndpointAuth: 'none' });
  const started = await client.initiateDeviceAuthorization(await discover(oidc, device), { scope: 'openid' });
  const secrets = [
    made.clientSecret,
    back.searchParams.get('code'),
    tokens.access_token,
    tokens.refresh_token,
    tokens.id_token,
    checks.pkceCodeVerifier,
    started.device_code,
    started.user_code,
    started.user_code.replace('-', ''),
    ada.externalId,
    ...cookies,
    ...[...browser.cookies].map(([, { value }]) => value),
  ].filter((text): text is string => Boolean(text));
  expect(secrets.length).toBeGreaterThan(12);
  const rows = await Promise.all(
    ['oidc_state', 'oidc_grants', 'oidc_clients', 'oidc_keys', 'audit_events', 'proof_pairing_sessions'].map(
      (table) =>
        oidc.service.db.query<{ row: string }>(sql`select to_jsonb(t)::text as row from ${raw(table)} t`),
    ),
  );
  const stored = rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
  const logged = oidc.service.logged.join('\n');
  for (const secret of secrets) {
    expect(stored.includes(secret), `stored ${secret}`).toBe(false);
    expect(logged.includes(secret), `logged ${secret}`).toBe(false);
  }
});
