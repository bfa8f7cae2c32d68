import { legacy, route } from '../../http/route.js';
import { LEGACY_LIMIT } from '../../model/legacy-account.js';
import { SignOnReply } from '../identities/identities.js';
import { requireDemoAuth } from '../sso/sso.js';
import { beginLogin, describeServiceProvider, finishLogin } from './auth-saml.js';
import * as schema from './auth-saml.schema.js';

export const authSamlLegacy = [
  route({
    operationId: 'legacyStartSamlLogin',
    method: 'GET',
    path: '/api/auth/saml/login',
    summary: 'Begin a simulated SAML sign-on',
    auth: legacy,
    gate: requireDemoAuth,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/saml/login',
    replies: { 200: schema.LoginReply },
    errors: ['demo_auth_disabled'],
    noStore: true,
    handler: beginLogin,
  }),
  route({
    operationId: 'legacyCompleteSamlLogin',
    method: 'POST',
    path: '/api/auth/saml/callback',
    summary: 'Exchange a SAML assertion for session tokens',
    auth: legacy,
    gate: requireDemoAuth,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/saml/callback',
    form: true,
    schemas: { body: schema.CallbackBody },
    replies: { 200: SignOnReply },
    errors: ['demo_auth_disabled', 'sso_failed'],
    secret: true,
    handler: (context) => finishLogin(context, context.body),
  }),
  route({
    operationId: 'legacyGetSamlMetadata',
    method: 'GET',
    path: '/api/auth/saml/metadata',
    summary: 'The SAML metadata of this service provider',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/saml/metadata',
    replies: { 200: 'application/xml; charset=utf-8' },
    examples: { 200: schema.METADATA_EXAMPLE },
    handler: async ({ deps }) => describeServiceProvider(deps),
  }),
];
