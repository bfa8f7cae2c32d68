import { key, route } from '../../../http/route.js';
import { SignOnReply } from '../../sessions/sessions.js';
import { requireDemoAuth } from '../sso.js';
import { beginLogin, describeServiceProvider, finishLogin } from './saml.js';
import * as schema from './saml.schema.js';

export const authSamlV1 = [
  route({
    operationId: 'startSamlLogin',
    method: 'GET',
    path: '/v1/auth/saml/login',
    summary: 'Start a simulated SAML sign-on',
    auth: key('saml:login'),
    gate: requireDemoAuth,
    replies: { 200: schema.LoginReply },
    errors: ['demo_auth_disabled'],
    noStore: true,
    handler: beginLogin,
  }),
  route({
    operationId: 'completeSamlLogin',
    method: 'POST',
    path: '/v1/auth/saml/callback',
    summary: 'Exchange a SAML assertion for session tokens',
    description: 'Accepts what the browser posted, as the original form or as JSON.',
    auth: key('saml:callback'),
    gate: requireDemoAuth,
    form: true,
    schemas: { body: schema.CallbackBody },
    replies: { 200: SignOnReply },
    errors: ['demo_auth_disabled', 'sso_failed'],
    secret: true,
    handler: (context) => finishLogin(context, context.body),
  }),
  route({
    operationId: 'getSamlMetadata',
    method: 'GET',
    path: '/v1/auth/saml/metadata',
    summary: 'Get the SAML metadata of this service provider',
    auth: key('saml:login'),
    gate: requireDemoAuth,
    replies: { 200: 'application/xml; charset=utf-8' },
    examples: { 200: schema.METADATA_EXAMPLE },
    errors: ['demo_auth_disabled'],
    handler: async ({ deps }) => describeServiceProvider(deps),
  }),
];
