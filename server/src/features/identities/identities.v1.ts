import { key, route } from '../../http/route.js';
import { idempotencyKey } from '../../ledger/idempotency.js';
import { logOut, refresh, whoAmI } from '../sessions/sessions.js';
import {
  findIdentity,
  registerIdentity,
  revokeIdentity,
  serializeRegistered,
  serializeRevoked,
  verifyIdentity,
} from './identities.js';
import * as schema from './identities.schema.js';

export const identityV1 = [
  route({
    operationId: 'registerIdentity',
    method: 'POST',
    path: '/v1/identity/register',
    summary: 'Register a DID and its commitment',
    auth: key('zkp:register'),
    schemas: { body: schema.RegisterBody },
    replies: { 201: schema.RegisterReply },
    errors: ['did_already_registered', 'commitment_already_registered', 'external_id_conflict'],
    async handler(context) {
      const { write, deps, principal, body } = context;
      const row = await write('identity.register', (w) => registerIdentity(w, deps, principal, body));
      return serializeRegistered(context, row);
    },
    replay: async (context, id) => serializeRegistered(context, await findIdentity(context.read, id)),
  }),
  route({
    operationId: 'verifyIdentity',
    method: 'POST',
    path: '/v1/identity/verify',
    summary: 'Verify a proof against a registered identity and open a session',
    auth: key('zkp:verify'),
    schemas: { body: schema.VerifyBody },
    replies: { 200: schema.TokensReply },
    errors: ['verification_failed', 'chain_unavailable'],
    secret: true,
    handler: (context) => verifyIdentity(context, context.body),
  }),
  route({
    operationId: 'getCurrentIdentity',
    method: 'GET',
    path: '/v1/identity/me',
    summary: 'The person behind a session',
    headers: { 'X-Session-Token': 'The access token of the session.' },
    auth: key('identity:read'),
    replies: { 200: schema.MeReply },
    errors: ['missing_session_token', 'invalid_session_token'],
    handler: (context) => whoAmI(context, context.header('x-session-token')),
  }),
  route({
    operationId: 'refreshSession',
    method: 'POST',
    path: '/v1/identity/refresh',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'A refresh token works once. Sending it again ends its session, but for a retry within 60 seconds with the same `Idempotency-Key`.',
    auth: key('identity:read'),
    headers: { 'Idempotency-Key': 'A retry with it within 60 seconds gets the same answer.' },
    schemas: { body: schema.RefreshBody },
    replies: { 200: schema.RefreshReply },
    errors: ['invalid_refresh_token'],
    secret: true,
    handler: (context) =>
      refresh(context, context.body.refreshToken, idempotencyKey(context.header('idempotency-key'))),
  }),
  route({
    operationId: 'logOut',
    method: 'POST',
    path: '/v1/identity/logout',
    summary: 'End a session',
    headers: { 'X-Session-Token': 'The access token of the session.' },
    auth: key('identity:read'),
    replies: { 200: schema.LogoutReply },
    errors: ['missing_session_token', 'invalid_session_token'],
    async handler(context) {
      await logOut(context, context.header('x-session-token'));
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'revokeIdentity',
    method: 'POST',
    path: '/v1/identity/revoke',
    summary: 'Revoke an identity and end its sessions',
    auth: key('zkp:register'),
    schemas: { body: schema.RevokeBody },
    replies: { 200: schema.RevokeReply },
    errors: ['identity_not_found'],
    handler: async (context) => ({
      identity: serializeRevoked(await revokeIdentity(context, context.body.did)),
    }),
  }),
];
