import { key, route } from '../../../http/route.js';
import { SignOnReply } from '../../sessions/sessions.js';
import { requireDemoAuth } from '../sso.js';
import { beginLogin, finishLogin } from './oidc.js';
import * as schema from './oidc.schema.js';

export const authOidcV1 = [
  route({
    operationId: 'startOidcLogin',
    method: 'GET',
    path: '/v1/auth/oidc/authorize',
    summary: 'Start a simulated OIDC sign-on with PKCE',
    auth: key('oidc:authorize'),
    gate: requireDemoAuth,
    replies: { 200: schema.AuthorizeReply },
    errors: ['demo_auth_disabled'],
    noStore: true,
    handler: beginLogin,
  }),
  route({
    operationId: 'completeOidcLogin',
    method: 'POST',
    path: '/v1/auth/oidc/callback',
    summary: 'Exchange an authorization code for session tokens',
    auth: key('oidc:callback'),
    gate: requireDemoAuth,
    schemas: { body: schema.CallbackBody },
    replies: { 200: SignOnReply },
    errors: ['demo_auth_disabled', 'sso_failed'],
    secret: true,
    handler: (context) => finishLogin(context, context.body),
  }),
];
