import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oidcPublic } from '../../src/features/openid-provider/openid-provider.public.js';
import { authorization, createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';
import { freshAddress } from '../support/service.js';

/** Of the library, also what it does not export. */
const LIBRARY = new URL('../../../node_modules/oidc-provider/lib', import.meta.url).href;

/** The routes that the library has registered, as METHOD /path. */
const registered: string[] = [];

let oidc: OidcService;
beforeAll(async () => {
  const { default: Router } = await import(`${LIBRARY}/helpers/router.js`);
  for (const method of ['get', 'post', 'put', 'delete', 'options']) {
    const register = Router.prototype[method];
    Router.prototype[method] = function record(name: string, path: string, ...rest: unknown[]) {
      registered.push(`${method.toUpperCase()} ${path}`);
      return register.call(this, name, path, ...rest);
    };
  }
  oidc = await startOidc();
  await createClient(oidc);
  await abilities();
});
afterAll(() => oidc.close());

const MOUNT = '/oidc/:tenantId/:environment';
const at = (path: string) => `/oidc/${oidc.account.tenantId}/live${path}`;
const call = (method: string, path: string, headers = {}) =>
  oidc.service.call(method, path, { headers, address: freshAddress() });

/** What the library can do with the settings that we give it. */
async function abilities(): Promise<string[]> {
  const { tenantId } = oidc.account;
  const provider = await oidc.service.app.deps.openId.find({ tenantId, environment: 'live' });
  const { default: instance } = await import(`${LIBRARY}/helpers/weak_cache.js`);
  const features: Record<string, { enabled: boolean }> = instance(provider).features;
  return Object.keys(features).filter((name) => features[name]?.enabled);
}

describe('the provider', () => {
  it('has the listed abilities, and no others', async () => {
    expect((await abilities()).sort()).toEqual([
      'backchannelLogout',
      'dPoP',
      'deviceFlow',
      'introspection',
      'revocation',
      'rpInitiatedLogout',
      'userinfo',
    ]);
  });

  it('has no setting that this service does not know', async () => {
    const { defaults } = await import(`${LIBRARY}/helpers/defaults.js`);
    const file = new URL('../../src/features/openid-provider/provider/configuration.ts', import.meta.url);
    const source = readFileSync(file, 'utf8');
    for (const name of Object.keys(defaults.features))
      expect(source, name).toMatch(new RegExp(`\\b${name}: `));
  });

  it('has no route that the list lacks', async () => {
    const listed = new Set(oidcPublic.map(({ method, path }) => `${method} ${path.slice(MOUNT.length)}`));
    // RFC 8414 puts this document above the path of the issuer, where there is none.
    const unused = ['GET /.well-known/oauth-authorization-server'];
    const own = registered.filter((route) => !/^(HEAD|OPTIONS) /.test(route));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((route) => !listed.has(route)).sort()).toEqual(unused);
    expect([...listed].filter((route) => !own.includes(route))).toEqual([]);
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/reg',
      '/request',
      '/interaction/x',
      '/backchannel',
      '/session/end/x',
    ])
      expect((await call('GET', at(path))).status, path).toBe(404);
  });
});

describe('[GET /oidc/:tenantId/:environment/.well-known/openid-configuration]', () => {
  it('describes exactly what there is', async () => {
    const { body, headers } = await call('GET', at('/.well-known/openid-configuration'));
    expect(headers['access-control-allow-origin']).toBe('*');
    const url = (path: string) => `${oidc.issuer}${path}`;
    expect(body).toEqual({
      issuer: oidc.issuer,
      authorization_endpoint: url('/auth'),
      token_endpoint: url('/token'),
      userinfo_endpoint: url('/userinfo'),
      introspection_endpoint: url('/introspect'),
      revocation_endpoint: url('/revoke'),
      end_session_endpoint: url('/session/end'),
      device_authorization_endpoint: url('/device/auth'),
      jwks_uri: url('/jwks'),
      acr_values_supported: ['urn:svc:zkp'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_session_supported: true,
      backchannel_logout_supported: true,
      claim_types_supported: ['normal'],
      claims_parameter_supported: false,
      claims_supported: [
        'sub',
        'acr',
        'amr',
        'auth_time',
        'verification_id',
        'name',
        'email',
        'email_verified',
        'groups',
        'sid',
        'iss',
      ],
      code_challenge_methods_supported: ['S256'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      request_uri_parameter_supported: false,
      response_modes_supported: ['query', 'form_post'],
      response_types_supported: ['code'],
      scopes_supported: ['openid', 'offline_access', 'profile', 'email', 'groups'],
      subject_types_supported: ['public', 'pairwise'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      token_endpoint_auth_signing_alg_values_supported: [
        'ES256',
        'ES384',
        'ES512',
        'RS256',
        'PS256',
        'EdDSA',
        'Ed25519',
      ],
      ui_locales_supported: ['en', 'de', 'es'],
    });
  });

  it('is the same for every spelling of its address and every forged header', async () => {
    const path = at('/.well-known/openid-configuration');
    const { text, headers } = await call('GET', path);
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-for': '1.2.3.4',
      forwarded: 'host=evil.example',
      'x-original-url': '/evil',
    };
    for (const reply of [
      await call('GET', path, forged),
      await call('GET', path.replace(oidc.account.tenantId, oidc.account.tenantId.toUpperCase())),
      await call('GET', path.replace('/live/', '/l%69ve/')),
      await call('GET', `${path}?x=y`),
    ])
      expect([reply.status, reply.text]).toEqual([200, text]);
    expect((await call('GET', path, { 'if-none-match': headers.etag })).status).toBe(304);
    const redirect = await call('GET', at('/auth?client_id=x'), forged);
    expect(redirect.text + JSON.stringify(redirect.headers)).not.toContain('evil');
  });

  it('is only there for active accounts with a client', async () => {
    const stranger = await oidc.service.signUp();
    for (const scope of [
      `${stranger.tenantId}/live`,
      `${oidc.account.tenantId}/test`,
      `${oidc.account.tenantId}/other`,
      'x/live',
    ])
      for (const { method, path } of oidcPublic) {
        const steps = path.replace(MOUNT, `/oidc/${scope}`).replace(':uid', 'x'.repeat(21));
        const reply = await call(method, steps, {});
        expect([reply.status, reply.body?.error], `${method} ${steps}`).toEqual([404, 'not_found']);
      }
  });
});

describe('[GET /oidc/:tenantId/:environment/jwks] [GET /oidc/:tenantId/:environment/auth] [GET /oidc/:tenantId/:environment/auth/:uid] [POST /oidc/:tenantId/:environment/token] [GET /oidc/:tenantId/:environment/userinfo] [POST /oidc/:tenantId/:environment/userinfo] [POST /oidc/:tenantId/:environment/introspect] [POST /oidc/:tenantId/:environment/revoke] [POST /oidc/:tenantId/:environment/device/auth] [GET /oidc/:tenantId/:environment/device] [POST /oidc/:tenantId/:environment/device] [GET /oidc/:tenantId/:environment/device/:uid]', () => {
  it('answers in the form of OAuth, without anything of the server', async () => {
    for (const { method, path } of oidcPublic) {
      const steps = at(path.slice(MOUNT.length).replace(':uid', 'x'.repeat(21)));
      const reply = await call(method, steps, { accept: 'application/json' });
      expect(reply.status, `${method} ${steps}`).toBeLessThan(500);
      if (reply.status < 400 || reply.body === undefined) continue;
      expect(Object.keys(reply.body), steps).toEqual(expect.arrayContaining(['error']));
      expect(reply.body.requestId).toBeUndefined();
      expect(reply.text).not.toMatch(/node_modules|\bat \w+ \(|select /);
    }
  });

  it('answers other methods with 405', async () => {
    for (const path of ['/jwks', '/token', '/auth', '/introspect', '/revoke', '/session/end', '/device'])
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        const reply = await call(method, at(path));
        expect([reply.status, reply.headers.allow], `${method} ${path}`).toEqual([405, expect.any(String)]);
      }
    expect((await call('GET', at('/token'))).status).toBe(405);
  });
});

describe('a form of an application [POST /oidc/:tenantId/:environment/auth] [POST /oidc/:tenantId/:environment/session/end] [openid/forms]', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const send = (path: string, raw: string, type = FORM) =>
    oidc.service.call('POST', at(path), { raw, headers: { 'content-type': type }, address: freshAddress() });

  it('redirects to GET with its fields, so that the browser comes with its cookies', async () => {
    const made = await createClient(oidc);
    const asked = await authorization(await discover(oidc, made), { state: 'a+b c&d=e' });
    const url = new URL(asked.url);
    const sent = await send('/auth', url.search.slice(1));
    expect([sent.status, sent.headers['cache-control']]).toEqual([303, 'no-store']);
    const target = new URL(String(sent.headers.location), oidc.issuer);
    expect(target.pathname).toBe(at('/auth'));
    expect([...target.searchParams]).toEqual([...url.searchParams]);
    const followed = await oidc.service.call('GET', String(sent.headers.location), {
      address: freshAddress(),
    });
    expect([followed.status, followed.headers.location]).toEqual([303, expect.stringContaining('/sign-in/')]);
  });

  it('signs out by the same way', async () => {
    const sent = await send(
      '/session/end',
      'state=abc&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F',
    );
    expect([sent.status, sent.headers.location]).toEqual([
      303,
      at('/session/end?state=abc&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F'),
    ]);
    const asked = await send('/session/end', '');
    expect((await call('GET', String(asked.headers.location))).status).toBe(200);
  });

  it('that is too long, or no form, gets the error that GET has without fields', async () => {
    const none = at('/auth');
    const attempts = [
      await send('/auth', `state=${'x'.repeat(12 * 1024)}`),
      await send('/auth', `state=${'ü'.repeat(3_000)}`),
      await send('/auth', '{"state":"x"}', 'application/json'),
    ];
    for (const { status, headers } of attempts) expect([status, headers.location]).toEqual([303, none]);
    const { status } = await call('GET', none);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('leads nowhere but to its own issuer, and to none of an account without a client', async () => {
    const sent = await send('/auth', 'x=%0d%0aset-cookie:%20a=b&//evil.example');
    expect(String(sent.headers.location)).toMatch(/^\/oidc\/[0-9a-f-]{36}\/live\/auth\?[\w%=&.+-]*$/);
    expect(sent.headers['set-cookie']).toBeUndefined();
    const path = `/oidc/${crypto.randomUUID()}/live/auth`;
    const reply = await oidc.service.call('POST', path, { raw: '', headers: { 'content-type': FORM } });
    expect(reply.status).toBe(404);
  });
});

describe('a request to the provider', () => {
  const post = (bytes: number) =>
    fetch(`${oidc.issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `a=${'x'.repeat(bytes - 2)}`,
    });

  it('may have a body of 56 KiB, and gets 400 for a longer one', async () => {
    const described = async (bytes: number) => {
      const reply = await post(bytes);
      const { error, error_description: description } = (await reply.json()) as Record<string, string>;
      return [reply.status, error, /parse/.test(description as string)];
    };
    expect(await described(56 * 1024)).toEqual([400, 'invalid_request', false]);
    expect(await described(56 * 1024 + 1)).toEqual([400, 'invalid_request', true]);
  });

  it('may have an address and headers of 16 KiB together, and gets 400 for longer ones', async () => {
    const ask = async (length: number) => {
      const reply = await fetch(
        `${oidc.issuer}/.well-known/openid-configuration?state=${'x'.repeat(length)}`,
      );
      await reply.body?.cancel();
      return reply.status;
    };
    expect([await ask(15 * 1024), await ask(16 * 1024)]).toEqual([200, 400]);
  });
});
