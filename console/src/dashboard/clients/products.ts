import type { OidcClient } from '@svc/sdk';
import { scopesFor, standardClaims } from './claims';

/** What a product’s settings are written from. */
export interface ClientSettings
  extends Pick<OidcClient, 'clientId' | 'issuer' | 'redirectUris' | 'claims' | 'tokenEndpointAuth'> {
  /** Default: a placeholder, because a secret is shown only once. */
  readonly secret?: string;
  /** 32 random characters, from which the product derives the key of its cookies. Default: a placeholder. */
  readonly random?: string;
  /** What this installation is called, for the button that signs people in. */
  readonly provider: string;
}

/** The parts of a client that a product’s settings name. */
interface Values {
  readonly clientId: string;
  readonly issuer: string;
  readonly discovery: string;
  readonly secret: string;
  readonly random: string;
  readonly scope: string;
  readonly auth: OidcClient['tokenEndpointAuth'];
  readonly readsEmail: boolean;
  readonly provider: string;
  readonly redirectUri: string;
  /** The product’s own address, without a slash at the end. */
  readonly base: string;
}

export interface Product {
  readonly name: string;
  /** Where the settings belong. */
  readonly place: string;
  /** The redirect URI below the product’s own address. Null if every path works that has no other content. */
  readonly redirectPath: string | null;
  /** How it can authenticate at the token endpoint. */
  readonly auth: readonly OidcClient['tokenEndpointAuth'][];
  /** It rejects people whose e-mail address it can’t read. */
  readonly needsEmail: boolean;
  /** What to do besides. */
  readonly note: string;
  readonly write: (values: Values) => string;
}

export const SECRET_PLACEHOLDER = '<client secret>';
export const RANDOM_PLACEHOLDER = '<random text>';

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'] as const;

/** The path without its last part. */
const folderOf = (uri: string): string => new URL('.', uri).pathname.replace(/(?<=.)\/$/, '');

const apache: Product = {
  name: 'Apache',
  place: 'The virtual host, with mod_auth_openidc',
  redirectPath: null,
  auth: WITH_SECRET,
  needsEmail: false,
  note: 'This protects everything below the address of Location. The redirect URI must be below it, and no file of the site may have its path.',
  write: ({
    discovery,
    clientId,
    secret,
    auth,
    redirectUri,
    scope,
    random,
  }) => `OIDCProviderMetadataURL ${discovery}
OIDCClientID ${clientId}
OIDCClientSecret "${secret}"
OIDCProviderTokenEndpointAuth ${auth}
OIDCRedirectURI ${redirectUri}
OIDCPKCEMethod S256
OIDCScope "${scope}"
OIDCRemoteUserClaim sub
# Encrypts the cookies. For another: openssl rand -hex 16
OIDCCryptoPassphrase "${random}"

<Location "${folderOf(redirectUri)}">
  AuthType openid-connect
  Require valid-user
</Location>
`,
};

const grafana: Product = {
  name: 'Grafana',
  place: 'grafana.ini',
  redirectPath: '/login/generic_oauth',
  auth: WITH_SECRET,
  needsEmail: true,
  note: 'Restart Grafana. New people get the role that auto_assign_org_role names.',
  write: ({ base, provider, clientId, secret, scope, issuer, auth }) => `[server]
root_url = ${base}/

[auth.generic_oauth]
enabled = true
name = ${provider}
client_id = ${clientId}
client_secret = ${secret}
auth_style = ${auth === 'client_secret_basic' ? 'InHeader' : 'InParams'}
scopes = ${scope}
auth_url = ${issuer}/auth
token_url = ${issuer}/token
api_url = ${issuer}/userinfo
use_pkce = true
email_attribute_path = email
name_attribute_path = name
allow_sign_up = true
`,
};

const gitlab: Product = {
  name: 'GitLab',
  place: '/etc/gitlab/gitlab.rb',
  redirectPath: '/users/auth/openid_connect/callback',
  auth: WITH_SECRET,
  needsEmail: true,
  note: 'Run gitlab-ctl reconfigure. An administrator approves new people, unless omniauth_block_auto_created_users is false.',
  write: ({
    provider,
    scope,
    issuer,
    auth,
    clientId,
    secret,
    redirectUri,
  }) => `gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_providers'] = [
  {
    name: "openid_connect",
    label: "${provider}",
    args: {
      name: "openid_connect",
      scope: [${scope
        .split(' ')
        .map((one) => `"${one}"`)
        .join(', ')}],
      response_type: "code",
      issuer: "${issuer}",
      discovery: true,
      client_auth_method: "${auth === 'client_secret_basic' ? 'basic' : 'query'}",
      uid_field: "sub",
      send_scope_to_token_endpoint: "false",
      pkce: true,
      client_options: {
        identifier: "${clientId}",
        secret: "${secret}",
        redirect_uri: "${redirectUri}"
      }
    }
  }
]
`,
};

const nextcloud: Product = {
  name: 'Nextcloud',
  place: 'Command line, with the app user_oidc',
  redirectPath: '/apps/user_oidc/code',
  // It sends the secret in the body wherever the provider supports that.
  auth: ['client_secret_post'],
  needsEmail: false,
  note: 'Run the commands as the user of the web server. Names and e-mail addresses come from the userinfo endpoint.',
  write: ({ provider, clientId, secret, discovery, scope, readsEmail }) => `occ app:install user_oidc
occ config:system:set user_oidc use_pkce --type=boolean --value=true
occ config:system:set user_oidc enrich_login_id_token_with_userinfo --type=boolean --value=true
occ user_oidc:provider "${provider}" \\
  --clientid="${clientId}" \\
  --clientsecret="${secret}" \\
  --discoveryuri="${discovery}" \\
  --scope="${scope}" \\
  --mapping-uid=sub \\
  --mapping-display-name=name${readsEmail ? ' \\\n  --mapping-email=email' : ''}
`,
};

const oauth2Proxy: Product = {
  name: 'oauth2-proxy',
  place: 'oauth2-proxy.cfg, started with --config',
  redirectPath: '/oauth2/callback',
  auth: WITH_SECRET,
  needsEmail: false,
  note: 'E-mail addresses are those that your company entered. Nobody confirmed them by a message, so the proxy must not ask for that.',
  write: ({
    issuer,
    clientId,
    secret,
    redirectUri,
    scope,
    readsEmail,
    provider,
    random,
  }) => `provider = "oidc"
provider_display_name = "${provider}"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
client_secret = "${secret}"
redirect_url = "${redirectUri}"
scope = "${scope}"
code_challenge_method = "S256"
${readsEmail ? 'insecure_oidc_allow_unverified_email = true' : 'oidc_email_claim = "sub"'}
email_domains = ["*"]
# Encrypts the cookies. For another: openssl rand -hex 16
cookie_secret = "${random}"
upstreams = ["http://127.0.0.1:8080/"]
`,
};

export const PRODUCTS: readonly Product[] = [apache, grafana, gitlab, nextcloud, oauth2Proxy];

export const discoveryOf = (issuer: string): string => `${issuer}/.well-known/openid-configuration`;

/** The redirect URI that the product uses, at the address of the client’s redirect URIs. */
export function redirectUriOf({ redirectPath }: Product, redirectUris: readonly string[]): string {
  const [first = 'https://app.example.com/callback'] = redirectUris;
  if (redirectPath === null) return first;
  return redirectUris.find((uri) => uri.endsWith(redirectPath)) ?? new URL(redirectPath, first).href;
}

/** The product whose redirect URI the client has, if its path tells. */
export const productOf = (redirectUris: readonly string[]): Product | undefined =>
  PRODUCTS.find(
    ({ redirectPath }) => redirectPath !== null && redirectUris.some((uri) => uri.endsWith(redirectPath)),
  );

/** Without the characters that end a value or begin a comment in one of the formats. */
const plain = (text: string): string =>
  text.replace(/["'`\\$#;%<>{}\p{Cc}]/gu, '').trim() || 'OpenID Connect';

/** The settings as they are pasted into the product’s configuration. */
export function settingsFor(
  product: Product,
  { clientId, issuer, redirectUris, claims, tokenEndpointAuth, secret, random, provider }: ClientSettings,
): string {
  const redirectUri = redirectUriOf(product, redirectUris);
  return product.write({
    clientId,
    issuer,
    discovery: discoveryOf(issuer),
    secret: secret ?? SECRET_PLACEHOLDER,
    random: random ?? RANDOM_PLACEHOLDER,
    scope: scopesFor(claims).join(' '),
    auth: tokenEndpointAuth,
    readsEmail: standardClaims(claims).includes('email'),
    provider: plain(provider),
    redirectUri,
    base: redirectUri.slice(0, redirectUri.length - (product.redirectPath?.length ?? 0)),
  });
}
