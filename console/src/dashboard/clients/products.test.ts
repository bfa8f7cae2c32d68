import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ClientSettings,
  PRODUCTS,
  productOf,
  RANDOM_PLACEHOLDER,
  redirectUriOf,
  SECRET_PLACEHOLDER,
  settingsFor,
} from './products';

const ISSUER = 'https://id.example.com/oidc/0198f6a2-7e55-7cc1-8a3e-4c1f6f2f9a01/live';
const CLIENT: ClientSettings = {
  clientId: '0198f6a2-7e55-7cc1-8a3e-4c1f6f2f9a02',
  issuer: ISSUER,
  redirectUris: ['https://tools.example.com:8443/callback'],
  claims: ['profile', 'email'],
  tokenEndpointAuth: 'client_secret_basic',
  provider: 'Identity',
};

const productNamed = (name: string) => {
  const product = PRODUCTS.find((one) => one.name === name);
  if (!product) throw new Error(`no product ${name}`);
  return product;
};
const settings = (name: string, change: Partial<ClientSettings> = {}) =>
  settingsFor(productNamed(name), { ...CLIENT, ...change });

describe.each(PRODUCTS.map((product) => [product.name, product] as const))('the settings of %s', (name) => {
  it('contain the client, PKCE, and a placeholder for the secret until it is known', () => {
    const text = settings(name);
    expect(text).toContain(CLIENT.clientId);
    expect(text).toContain(ISSUER);
    expect(text).toMatch(/pkce|S256/i);
    expect(text.split(SECRET_PLACEHOLDER)).toHaveLength(2);
    const known = settings(name, { secret: 'bm90IGEgc2VjcmV0' });
    expect(known).toBe(text.replace(SECRET_PLACEHOLDER, 'bm90IGEgc2VjcmV0'));
    expect(known).not.toMatch(/undefined|null|\[object/);
  });

  it('contain random text for its cookies, if it needs some', () => {
    const text = settings(name);
    const random = settings(name, { random: 'f00d' });
    expect(random).toBe(text.replace(RANDOM_PLACEHOLDER, 'f00d'));
    expect(random !== text).toBe(['Apache', 'oauth2-proxy'].includes(name));
  });

  it('ask only for what the client may read', () => {
    expect(settings(name)).toMatch(/openid"?,? "?profile"?,? "?email/);
    const text = settings(name, { claims: [] });
    expect(text).not.toMatch(/openid"?,? "?(profile|email)/);
    expect(text).toContain('openid');
  });

  it('cannot be broken by the name of the installation', () => {
    const text = settings(name, { provider: '"#; Zoë’s $(id) `x`\n#{1} %{Y} <Z>\\' });
    const line = text.split('\n').find((one) => one.includes('Zoë’s'));
    expect(line ?? 'Zoë’s (id) x1 Y Z').toContain('Zoë’s (id) x1 Y Z');
    expect(settings(name, { provider: '"' })).not.toContain('""');
  });
});

describe('redirect URIs of products', () => {
  it.each([
    ['Apache', 'https://tools.example.com:8443/callback'],
    ['Grafana', 'https://tools.example.com:8443/login/generic_oauth'],
    ['GitLab', 'https://tools.example.com:8443/users/auth/openid_connect/callback'],
    ['Nextcloud', 'https://tools.example.com:8443/apps/user_oidc/code'],
    ['oauth2-proxy', 'https://tools.example.com:8443/oauth2/callback'],
  ])('%s', (name, expected) => {
    expect(redirectUriOf(productNamed(name), CLIENT.redirectUris)).toBe(expected);
  });

  it('are those of the client if it has one below another path', () => {
    const uris = ['https://a.example/', 'https://a.example/grafana/login/generic_oauth'];
    expect(redirectUriOf(productNamed('Grafana'), uris)).toBe(uris[1]);
    expect(settings('Grafana', { redirectUris: uris })).toContain('root_url = https://a.example/grafana/\n');
    expect(productOf(uris)?.name).toBe('Grafana');
    expect(productOf(['https://a.example/callback'])).toBeUndefined();
    expect(productOf([])).toBeUndefined();
  });
});

describe('settings that depend on the client', () => {
  it('name the authentication of the client as the product calls it', () => {
    const post = { tokenEndpointAuth: 'client_secret_post' } as const;
    expect(settings('Apache')).toContain('OIDCProviderTokenEndpointAuth client_secret_basic\n');
    expect(settings('Apache', post)).toContain('OIDCProviderTokenEndpointAuth client_secret_post\n');
    expect(settings('Grafana')).toContain('auth_style = InHeader\n');
    expect(settings('Grafana', post)).toContain('auth_style = InParams\n');
    expect(settings('GitLab')).toContain('client_auth_method: "basic"');
    expect(settings('GitLab', post)).toContain('client_auth_method: "query"');
    expect(productNamed('Nextcloud').auth).toEqual(['client_secret_post']);
  });

  it.each([
    ['https://a.example/private/signed-in', '/private'],
    ['https://a.example/one/two/signed-in', '/one/two'],
    ['https://a.example/signed-in', '/'],
  ])('protect the folder of %s with Apache', (uri, folder) =>
    expect(settings('Apache', { redirectUris: [uri] })).toContain(`<Location "${folder}">\n`),
  );

  it('identify people by the subject where the e-mail address may not be read', () => {
    expect(settings('oauth2-proxy')).toContain('insecure_oidc_allow_unverified_email = true\n');
    const hidden = settings('oauth2-proxy', { claims: ['profile'] });
    expect(hidden).toContain('oidc_email_claim = "sub"\n');
    expect(hidden).not.toContain('insecure_');
    expect(settings('Nextcloud')).toMatch(/--mapping-display-name=name \\\n {2}--mapping-email=email\n$/);
    expect(settings('Nextcloud', { claims: ['profile'] })).toMatch(/--mapping-display-name=name\n$/);
  });

  it('have the names that each product documents', () => {
    const names = (name: string, pattern: RegExp) => settings(name).match(pattern);
    expect(names('Apache', /^ *OIDC\w+/gm)).toEqual([
      'OIDCProviderMetadataURL',
      'OIDCClientID',
      'OIDCClientSecret',
      'OIDCProviderTokenEndpointAuth',
      'OIDCRedirectURI',
      'OIDCPKCEMethod',
      'OIDCScope',
      'OIDCRemoteUserClaim',
      'OIDCCryptoPassphrase',
    ]);
    expect(names('Grafana', /^\[.+\]|^\w+(?= =)/gm)?.join(' ')).toBe(
      '[server] root_url [auth.generic_oauth] enabled name client_id client_secret auth_style scopes auth_url token_url ' +
        'api_url use_pkce email_attribute_path name_attribute_path allow_sign_up',
    );
    expect(names('GitLab', /\w+(?=: )/g)?.join(' ')).toBe(
      'name label args name scope response_type issuer discovery client_auth_method uid_field ' +
        'send_scope_to_token_endpoint pkce client_options identifier secret redirect_uri',
    );
    expect(names('Nextcloud', /--[\w-]+/g)?.join(' ')).toBe(
      '--type --value --type --value --clientid --clientsecret --discoveryuri --scope --mapping-uid ' +
        '--mapping-display-name --mapping-email',
    );
    expect(names('oauth2-proxy', /^\w+(?= =)/gm)?.join(' ')).toBe(
      'provider provider_display_name oidc_issuer_url client_id client_secret redirect_url scope code_challenge_method ' +
        'insecure_oidc_allow_unverified_email email_domains cookie_secret upstreams',
    );
  });
});

describe('the documentation', () => {
  const page = readFileSync(new URL('../../../../docs/sign-in-with-a-phone.md', import.meta.url), 'utf8');
  const documented = {
    issuer: 'https://id.example.com/oidc/<account>/live',
    clientId: '<client ID>',
    provider: 'Phone',
  } as const;

  it.each([
    ['Apache', 'https://www.example.com/private/signed-in', 'client_secret_basic', []],
    ['Grafana', 'https://grafana.example.com/login/generic_oauth', 'client_secret_basic', ['email']],
    [
      'GitLab',
      'https://gitlab.example.com/users/auth/openid_connect/callback',
      'client_secret_basic',
      ['email'],
    ],
    ['Nextcloud', 'https://cloud.example.com/apps/user_oidc/code', 'client_secret_post', ['email']],
    ['oauth2-proxy', 'https://app.example.com/oauth2/callback', 'client_secret_basic', ['email']],
  ] as const)('has the same settings for %s', (name, redirectUri, tokenEndpointAuth, more) => {
    const product = PRODUCTS.find((one) => one.name === name);
    if (product === undefined) throw new Error(`there is no product ${name}`);
    const settings = settingsFor(product, {
      ...documented,
      claims: ['profile', ...more],
      redirectUris: [redirectUri],
      tokenEndpointAuth,
    });
    expect(page).toContain(settings);
    expect(page).toContain(redirectUri);
  });
});
