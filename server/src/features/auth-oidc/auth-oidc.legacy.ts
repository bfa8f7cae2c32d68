import { legacy, route } from '../../http/route.js';
import { LEGACY_LIMIT } from '../../model/legacy-account.js';
import { SignOnReply } from '../identities/identities.js';
import { requireDemoAuth } from '../sso/sso.js';
import { beginLogin, finishLogin, legacyDiscovery } from './auth-oidc.js';
import * as schema from './auth-oidc.schema.js';

export const authOidcLegacy = [
  route({
    operationId: 'legacyStartOidcLogin',
    method: 'GET',
    path: '/api/auth/oidc/authorize',
    summary: 'Begin a simulated OIDC sign-on with PKCE',
    auth: legacy,
    gate: requireDemoAuth,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/oidc/authorize',
    replies: { 200: schema.AuthorizeReply },
    errors: ['demo_auth_disabled'],
    noStore: true,
    handler: beginLogin,
  }),
  route({
    operationId: 'legacyCompleteOidcLogin',
    method: 'POST',
    path: '/api/auth/oidc/callback',
    summary: 'Exchange an authorization code for session tokens',
    auth: legacy,
    gate: requireDemoAuth,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/oidc/callback',
    schemas: { body: schema.CallbackBody },
    replies: { 200: SignOnReply },
    errors: ['demo_auth_disabled', 'sso_failed'],
    secret: true,
    handler: (context) => finishLogin(context, context.body),
  }),
  route({
    operationId: 'legacyGetOidcConfiguration',
    method: 'GET',
    path: '/api/auth/oidc/.well-known/openid-configuration',
    summary: 'The discovery document of the legacy endpoints',
    description: 'Has no `jwks_uri`: session tokens are signed with HS256, whose key is nobody else’s.',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/oidc/authorize',
    replies: { 200: schema.LegacyDiscoveryReply },
    handler: async ({ deps }) => legacyDiscovery(deps.config),
  }),
];
