import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { open, type Route, route } from '../../http/route.js';
import { RawReply } from '../../http/transport/raw.js';
import type { Scope } from '../../ledger/audit-store.js';
import { findAccount } from '../accounts/accounts.js';
import { handle } from './provider/provider.js';
import { issuerPath, PATHS, UID } from './provider/surface.js';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const params = { tenantId: 'not_found', environment: 'not_found' } as const;
const forms = { environment: { pattern: /^(live|test)$/, example: 'live' } };

type Issuer = Record<'tenantId' | 'environment', string>;

/** The provider of a path, for active accounts with a client only: for all others, none is built. */
export async function providerAt(
  deps: Pick<Deps, 'db' | 'openId'>,
  { tenantId, environment }: Issuer,
  isPublished?: boolean,
) {
  const scope = { tenantId, environment: environment as Scope['environment'] };
  // What the provider publishes comes from memory. There an account counts as active for a minute after it was suspended.
  const isActive = isPublished || (await findAccount(deps, tenantId))?.status === 'active';
  return { provider: (isActive && (await deps.openId.find(scope))) || fail('not_found'), scope };
}

interface Endpoint {
  readonly operationId: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly media: string;
  readonly example: string;
  /** Requests a minute from an address. */
  readonly perMinute: number;
  /** The response has tokens. */
  readonly secret?: true;
  /** Browsers on other origins may call it. */
  readonly preflight?: true;
  /** It redirects, or shows a page. */
  readonly redirects?: true;
  /** The same for everybody, and not secret. */
  readonly isPublished?: true;
  /** It changes nothing, not even for a browser, so it also runs for HEAD. */
  readonly onlyReads?: true;
  /** The path names a sign-in. */
  readonly isOfSignIn?: true;
}

const PAGE = '<!doctype html><html lang="en"><title>Sign in</title></html>';

/** An endpoint of the library. Its errors have the form of OAuth 2.0, not our envelope. */
const endpoint = ({
  operationId,
  path,
  media,
  example,
  perMinute,
  redirects,
  isPublished,
  onlyReads,
  isOfSignIn,
  ...rest
}: Endpoint): Route =>
  route({
    ...rest,
    operationId,
    path: `/oidc/:tenantId/:environment${path}`,
    auth: open,
    limit: { name: operationId, max: perMinute, windowSeconds: 60 },
    schemas: {
      params: { ...params, ...(isOfSignIn && { uid: 'sign_in_not_found' as const }) },
      forms: { ...forms, ...(isOfSignIn && { uid: UID }) },
    },
    raw: true,
    replies: { 200: media, ...(redirects && { 303: HTML }) },
    examples: { 200: example, ...(redirects && { 303: PAGE }) },
    async handler({ deps, params: at, address }) {
      const { provider, scope } = await providerAt(deps, at as Issuer, isPublished);
      return new RawReply(
        (request: IncomingMessage, response: ServerResponse) =>
          handle(provider, {
            request,
            response,
            address,
            baseUrl: deps.config.baseUrl,
            mount: issuerPath(scope),
          }),
        onlyReads,
      );
    },
  });

export const oidcPublic: Route[] = [
  endpoint({
    operationId: 'oidcDiscover',
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary: 'OpenID Connect: the endpoints and abilities of this issuer',
    media: JSON_TYPE,
    example: '{"issuer":"https://id.example.com/oidc/…/live"}',
    isPublished: true,
    onlyReads: true,
    perMinute: 600,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcListKeys',
    method: 'GET',
    path: PATHS.jwks,
    summary: 'OpenID Connect: the public keys that sign ID tokens',
    media: 'application/jwk-set+json; charset=utf-8',
    example: '{"keys":[]}',
    isPublished: true,
    onlyReads: true,
    perMinute: 600,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcAuthorize',
    method: 'GET',
    path: PATHS.authorization,
    summary: 'OpenID Connect: sign a person in to an application',
    description:
      'The authorization code flow with PKCE (S256). Redirects to the sign-in page, or back to the application if the browser is signed in.',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 600,
  }),
  endpoint({
    operationId: 'oidcResume',
    method: 'GET',
    path: `${PATHS.authorization}/:uid`,
    summary: 'OpenID Connect: go on after the person approved or cancelled',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 600,
    isOfSignIn: true,
  }),
  endpoint({
    operationId: 'oidcIssueTokens',
    method: 'POST',
    path: PATHS.token,
    summary: 'OpenID Connect: exchange a code, refresh token or device code for tokens',
    description: 'A code or refresh token that is used again ends the sign-in.',
    media: JSON_TYPE,
    example: '{"access_token":"…","token_type":"Bearer","expires_in":3600,"id_token":"…"}',
    secret: true,
    perMinute: 6_000,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcReadUser',
    method: 'GET',
    onlyReads: true,
    path: PATHS.userinfo,
    summary: 'OpenID Connect: the claims of the person who signed in',
    media: JSON_TYPE,
    example: '{"sub":"…"}',
    perMinute: 6_000,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcReadUserByPost',
    method: 'POST',
    path: PATHS.userinfo,
    summary: 'OpenID Connect: the same, by POST',
    media: JSON_TYPE,
    example: '{"sub":"…"}',
    perMinute: 6_000,
  }),
  endpoint({
    operationId: 'oidcIntrospect',
    method: 'POST',
    path: PATHS.introspection,
    summary: 'OpenID Connect: whether one of the client’s own tokens is valid',
    media: JSON_TYPE,
    example: '{"active":false}',
    perMinute: 6_000,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcRevoke',
    method: 'POST',
    path: PATHS.revocation,
    summary: 'OpenID Connect: end a token and the sign-in that it came from',
    media: 'text/plain; charset=utf-8',
    example: '',
    perMinute: 600,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcSignOut',
    method: 'GET',
    path: PATHS.end_session,
    summary: 'OpenID Connect: ask the person whether to sign out of this browser',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 60,
  }),
  endpoint({
    operationId: 'oidcConfirmSignOut',
    method: 'POST',
    path: `${PATHS.end_session}/confirm`,
    summary: 'OpenID Connect: sign out of this browser',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 60,
  }),
  endpoint({
    operationId: 'oidcSignedOut',
    method: 'GET',
    onlyReads: true,
    path: `${PATHS.end_session}/success`,
    summary: 'OpenID Connect: the page after signing out',
    media: HTML,
    example: PAGE,
    perMinute: 60,
  }),
  endpoint({
    operationId: 'oidcStartDevice',
    method: 'POST',
    path: PATHS.device_authorization,
    summary: 'OpenID Connect: begin a sign-in on a device without a browser',
    media: JSON_TYPE,
    example:
      '{"device_code":"…","user_code":"WDJB-MJHT","verification_uri":"https://id.example.com/oidc/…/device"}',
    perMinute: 60,
    preflight: true,
  }),
  endpoint({
    operationId: 'oidcShowDevicePage',
    method: 'GET',
    path: PATHS.code_verification,
    summary: 'OpenID Connect: the page for the code of a device',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 60,
  }),
  endpoint({
    operationId: 'oidcEnterDeviceCode',
    method: 'POST',
    path: PATHS.code_verification,
    summary: 'OpenID Connect: enter and confirm the code of a device',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 20,
  }),
  endpoint({
    operationId: 'oidcResumeDevice',
    method: 'GET',
    path: `${PATHS.code_verification}/:uid`,
    summary: 'OpenID Connect: go on after the person approved the device',
    redirects: true,
    media: HTML,
    example: PAGE,
    perMinute: 60,
    isOfSignIn: true,
  }),
];
