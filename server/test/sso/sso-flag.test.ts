import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/base/config/config.js';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { type Account, type Service, startService } from '../support/service.js';
import { oidcCallback, oidcResponse, samlCallback, samlResponse, ssoKey, visit } from '../support/sso.js';

const PRODUCTION = { NODE_ENV: 'production', SVC_SECRET: 'a secret of production, 32 bytes and more' };
const PROVIDER = [
  '/demo/idp/saml/sso?SAMLRequest=AAAA',
  '/demo/idp/saml/metadata',
  '/demo/idp/oidc/authorize',
  '/demo/idp/.well-known/openid-configuration',
  '/demo/idp/oidc/jwks',
];
let enabled: Service;
let account: Account;
let key: string;

beforeAll(async () => {
  enabled = await startService();
  account = await enabled.signUp({ plan: 'enterprise' });
  key = await ssoKey(enabled, account);
});
afterAll(() => enabled.close());

const state = async () => {
  const tables = [
    'sso_requests',
    'sessions',
    'refresh_tokens',
    'tenant_users',
    'verifications',
    'audit_events',
  ];
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where tenant_id = $1)::int as ${table}`,
  );
  return (await enabled.db.query({ text: `select ${counts.join(', ')}`, values: [account.tenantId] }))[0];
};

async function expectDisabled(env: Record<string, string>) {
  const saml = await samlResponse(enabled, key);
  const oidc = await oidcResponse(enabled, key);
  const before = await state();
  const disabled = await startService({ env, clock: enabled.clock });
  const replies = [
    await disabled.call('GET', '/v1/auth/saml/login', { as: key }),
    await disabled.call('GET', '/v1/auth/saml/metadata', { as: key }),
    await disabled.call('GET', '/v1/auth/oidc/authorize', { as: key }),
    await samlCallback(disabled, key, saml),
    await oidcCallback(disabled, key, oidc),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(403);
    expect(reply.body.error).toBe('demo_auth_disabled');
  }
  for (const path of PROVIDER) {
    const reply = await disabled.call('GET', path);
    expect(reply.status, path).toBe(404);
    expect(reply.body.error).toBe('not_found');
  }
  expect(await state()).toEqual(before);
  await disabled.close();
}

describe('simulated sign-on', () => {
  it.each(['', '0', 'false', 'FALSE', 'no', 'off', 'No', 'OFF'])(
    'is disabled by ENABLE_DEMO_AUTH=%s: starts, issues and serves nothing [sso/demo-switch]',
    (value) => expectDisabled({ ENABLE_DEMO_AUTH: value }),
  );

  it.each([
    [{ ENABLE_DEMO_AUTH: 'true', ...PRODUCTION }],
    [{ ENABLE_DEMO_AUTH: '1', ...PRODUCTION }],
    [{ ENABLE_DEMO_AUTH: 'true', ALLOW_DEMO_AUTH_IN_PRODUCTION: 'false', ...PRODUCTION }],
    [{ ENABLE_DEMO_AUTH: '', ALLOW_DEMO_AUTH_IN_PRODUCTION: 'true', ...PRODUCTION }],
    [{ ENABLE_DEMO_AUTH: '', ALLOW_DEMO_AUTH_IN_PRODUCTION: 'true' }],
  ])('is disabled in production without both flags: %o', (env) => expectDisabled(env));

  it('is enabled by `true` or `1`, in production by both flags', () => {
    expect(loadConfig({}).demoAuth).toBe(false);
    for (const value of ['true', '1']) {
      expect(loadConfig({ ENABLE_DEMO_AUTH: value }).demoAuth).toBe(true);
      const both = { ENABLE_DEMO_AUTH: value, ALLOW_DEMO_AUTH_IN_PRODUCTION: value, ...PRODUCTION };
      expect(loadConfig(both).demoAuth).toBe(true);
    }
  });

  it('ends its sessions immediately when it is disabled again [sso/sessions-from-sign-on]', async () => {
    const { body } = await samlCallback(enabled, key, await samlResponse(enabled, key));
    const disabled = await startService({ env: { ENABLE_DEMO_AUTH: 'false' }, clock: enabled.clock });
    const headers = { 'x-session-token': body.accessToken };
    const me = await disabled.call('GET', '/v1/identity/me', { as: key, headers });
    expect(me.body.error).toBe('invalid_session_token');
    const refresh = { refreshToken: body.refreshToken };
    const refreshed = await disabled.call('POST', '/v1/identity/refresh', { as: key, body: refresh });
    expect(refreshed.body.error).toBe('invalid_refresh_token');
    await disabled.close();
  });

  it('checks scopes before it reveals whether it is enabled [sso/a-log-in-is-used-once]', async () => {
    const disabled = await startService({ env: { ENABLE_DEMO_AUTH: 'false' } });
    for (const service of [enabled, disabled]) {
      const reply = await service.call('GET', '/v1/auth/saml/login', { as: account.key });
      expect(reply.body.error).toBe('insufficient_scopes');
    }
    await disabled.close();
  });
});

describe('the simulated provider', () => {
  it('is limited to 60 calls a minute for each address, over all endpoints [sso/the-simulated-provider]', async () => {
    const address = '203.0.113.77';
    for (let call = 0; call < 60; call += 1) {
      const path = PROVIDER[call % PROVIDER.length] as string;
      expect((await enabled.call('GET', path, { address })).status).not.toBe(429);
    }
    for (const path of PROVIDER) {
      const reply = await enabled.call('GET', path, { address });
      expect(reply.status).toBe(429);
      expect(reply.headers['retry-after']).toBe('60');
    }
    expect((await enabled.call('GET', '/demo/idp/oidc/jwks', { address: '203.0.113.78' })).status).toBe(200);
  });

  it('exposes no token endpoint over HTTP [sso/the-simulated-provider]', async () => {
    const reply = await enabled.call('POST', '/demo/idp/oidc/token', {
      raw: 'grant_type=authorization_code&code=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBe(404);
  });
});

describe('housekeeping', () => {
  it('deletes logins and codes once they have expired', async () => {
    await samlResponse(enabled, key);
    const { body } = await enabled.call('GET', '/v1/auth/oidc/authorize', { as: key });
    await visit(enabled, body.authorizationUrl, 'never redeemed');
    enabled.clock.advance(600_001);
    await deleteExpired(enabled.app.deps);
    const [left] = await enabled.db.query<{ requests: number; codes: number }>(sql`select
      (select count(*) from sso_requests where tenant_id = ${account.tenantId})::int as requests,
      (select count(*) from demo_idp_codes where expires_at < ${new Date(enabled.clock.now())})::int as codes`);
    expect(left).toEqual({ requests: 0, codes: 0 });
  });
});
