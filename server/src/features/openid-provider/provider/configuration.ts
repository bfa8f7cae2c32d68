import {
  type Client,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { networkOfDevice } from '../../pairing/pairing.js';
import { type Issuer, subjectOf } from '../keys/keys.js';
import { ACR, CLAIMS, createFindAccount } from './account.js';
import { type AdapterDeps, createAdapter } from './adapter.js';
import { EXTRA_METADATA, extraOf } from './client-metadata.js';
import { GRANT_TTL_SECONDS, keepStoredGrant, loadGrant } from './grants.js';
import { isHinted } from './hints.js';
import type { HostedPages } from './pages.js';
import { checkAssertion, LENGTH_CHECKS } from './request-checks.js';
import { slugOf } from './sign-in-address.js';
import { issuerPath, type Lifetimes, PATHS } from './surface.js';

export type ProviderDeps = AdapterDeps &
  Pick<Deps, 'config' | 'db' | 'ids' | 'keyring' | 'outbound' | 'timers'>;
export type OpenIdDeps = ProviderDeps & Pick<Deps, 'clock' | 'log' | 'pagesFolder'>;

/** Every feature of the library, so that a new version of it turns none on. `server/test/oidc/surface.test.ts` walks its routes. */
const OFF = { enabled: false } as const;
const FEATURES_OFF = {
  attestClientAuth: OFF,
  ciba: OFF,
  claimsParameter: OFF,
  clientCredentials: OFF,
  clientIdMetadataDocument: OFF,
  devInteractions: OFF,
  encryption: OFF,
  externalSigningSupport: OFF,
  fapi: OFF,
  jwtIntrospection: OFF,
  jwtResponseModes: OFF,
  jwtUserinfo: OFF,
  mTLS: OFF,
  openid4vci: OFF,
  pushedAuthorizationRequests: OFF,
  registration: OFF,
  registrationManagement: OFF,
  requestObjects: OFF,
  resourceIndicators: OFF,
  richAuthorizationRequests: OFF,
  rpMetadataChoices: OFF,
  webMessageResponseMode: OFF,
} as const;

const { Check, base } = interactionPolicy;

/** The subject of a user at a client. */
type SubjectAt = (client: Client, userId: string) => string;

/** Besides those of native applications: what the account's own applications need no consent for. */
const CONSENT_CHECKS: readonly string[] = ['consent_prompt', 'native_client_prompt'];

/** When a person must approve on the phone: without a live sign-in, or for another user than the application asks for. */
function policyOf(deps: ProviderDeps, scope: Scope, subjectAt: SubjectAt) {
  const policy = base();
  const login = policy.get('login')?.checks;
  const hasApproved = ({ oidc }: KoaContextWithOIDC) => oidc.result?.login !== undefined;
  login?.add(
    new Check('sign_in_ended', 'End-User authentication is required', 'login_required', (context) => {
      const { session, entities } = context.oidc;
      const isLive = entities.Grant?.jti !== undefined;
      return session?.accountId !== undefined && !hasApproved(context) && !isLive;
    }),
  );
  login?.add(
    new Check('hint', 'another End-User is asked for', 'login_required', async (context) => {
      if (await isHinted(deps, scope, subjectAt, context)) return false;
      // Another person has approved. Asking again would let anybody in the end.
      if (hasApproved(context)) throw new errors.LoginRequired('another End-User approved');
      return true;
    }),
  );
  // The account's own applications need no consent, unless they ask for it. A native application needs an approval each time
  // (RFC 8252, section 8.6).
  const consent = policy.get('consent');
  for (const { reason } of [...(consent?.checks ?? [])])
    if (!CONSENT_CHECKS.includes(reason)) consent?.checks.remove(reason);
  return policy;
}

const originOf = (uri: string) => {
  const { origin, protocol, host } = new URL(uri);
  return origin === 'null' ? `${protocol}//${host}` : origin;
};

const epoch = () => Math.floor(Date.now() / 1000);

/** How long an attempt of a back-channel logout may take. */
const LOGOUT_MS = 5_000;

/** The library only sends back-channel logouts. Their addresses are a tenant's. */
async function postGuarded(
  { outbound, timers }: ProviderDeps,
  url: string | URL | Request,
  { headers, body }: RequestInit = {},
): Promise<Response> {
  const late = new AbortController();
  const cancel = timers.patiently(LOGOUT_MS, () => late.abort());
  const result = await outbound.post(String(url), {
    headers: Object.fromEntries(new Headers(headers)),
    body: String(body ?? ''),
    signal: late.signal,
  });
  cancel();
  if ('error' in result) throw new Error(`The request failed: ${result.error}`);
  return new Response(null, { status: result.status });
}

const ENABLED_JWA: NonNullable<Configuration['enabledJWA']> = {
  clientAuthSigningAlgValues: ['ES256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA', 'Ed25519'],
  idTokenSigningAlgValues: ['RS256', 'ES256'],
  userinfoSigningAlgValues: ['RS256', 'ES256'],
  introspectionSigningAlgValues: ['RS256', 'ES256'],
  authorizationSigningAlgValues: ['RS256', 'ES256'],
  dPoPSigningAlgValues: ['ES256', 'EdDSA', 'Ed25519'],
};

const featuresOf = (deps: ProviderDeps, pages: HostedPages): Configuration['features'] => ({
  ...FEATURES_OFF,
  backchannelLogout: { enabled: true },
  deviceFlow: {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: ({ ip }: KoaContextWithOIDC) => ({ ...networkOfDevice(deps, ip) }),
    userCodeInputSource: pages.device,
    userCodeConfirmSource: pages.confirmDevice,
    successSource: pages.deviceDone,
  },
  dPoP: { enabled: true, requireNonce: () => false, allowReplay: false },
  introspection: {
    enabled: true,
    // A client only learns about its own tokens.
    allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
  },
  revocation: {
    enabled: true,
    allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
  },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: pages.signOut,
    postLogoutSuccessSource: pages.signedOut,
  },
  userinfo: { enabled: true },
});

/** The settings of one issuer. Nothing is left to a default of the library that decides something. */
export function configurationOf(
  deps: ProviderDeps,
  scope: Scope,
  { keys, salt }: Issuer,
  pages: HostedPages,
  lifetimes: Lifetimes,
): Configuration {
  const secure = deps.config.baseUrl.startsWith('https:');
  const subjectAt: SubjectAt = (client, userId) => {
    const { svc_subject_type: type, svc_sector: sector } = extraOf(client);
    return type === 'public' ? userId : subjectOf(salt, sector, userId);
  };
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true, overwrite: true } as const;
  return {
    adapter: createAdapter(deps, scope),
    acrValues: [ACR],
    allowOmittingSingleRegisteredRedirectUri: false,
    assertJwtClientAuthClaimsAndHeader: checkAssertion,
    claims: CLAIMS,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientBasedCORS: (_context, origin, client) =>
      client.tokenEndpointAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => originOf(uri) === origin),
    // Each client decides (`createFindAccount`).
    conformIdTokenClaims: false,
    cookies: {
      names: { session: 'svc_oidc', interaction: 'svc_sign_in', resume: 'svc_oidc_resume' },
      keys: deps.keyring
        .hmacs('oidc-cookies', `${scope.tenantId}|${scope.environment}`)
        .map((key) => Buffer.from(key, 'hex').toString('base64url')),
      long: { ...cookie, path: issuerPath(scope) },
      short: cookie,
    },
    discovery: { ui_locales_supported: ['en', 'de', 'es'] },
    enableHttpPostMethods: false,
    enabledJWA: ENABLED_JWA,
    extraClientMetadata: { properties: [...EXTRA_METADATA] },
    extraParams: LENGTH_CHECKS,
    features: featuresOf(deps, pages),
    fetch: (url, options) => postGuarded(deps, url, options),
    findAccount: createFindAccount(deps, scope, salt),
    interactions: {
      policy: policyOf(deps, scope, subjectAt),
      url: (context, { uid }) => {
        keepStoredGrant(context);
        return `/sign-in/${slugOf(deps, scope, uid)}`;
      },
    },
    issueRefreshToken: (_context, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    jwks: { keys: keys.map(({ kid, alg, privateJwk }) => ({ ...privateJwk, kid, alg, use: 'sig' })) },
    loadExistingGrant: (context) => loadGrant(deps, scope, context),
    pairwiseIdentifier: (_context, accountId, client) => subjectAt(client, accountId),
    pkce: { required: (_context, client) => extraOf(client).svc_require_pkce },
    renderError: pages.error,
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: PATHS,
    scopes: ['openid', 'offline_access'],
    subjectTypes: ['public', 'pairwise'],
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      DeviceCode: lifetimes.deviceCode,
      Grant: GRANT_TTL_SECONDS,
      IdToken: lifetimes.idToken,
      Interaction: lifetimes.interaction,
      RefreshToken: GRANT_TTL_SECONDS,
      // From the approval: requests do not prolong it.
      Session: (_context, { loginTs }) => Math.max(1, (loginTs ?? epoch()) + lifetimes.session - epoch()),
    },
  };
}
