import { key, route } from '../../http/route.js';
import { idempotencyKey } from '../../ledger/idempotency.js';
import { iso } from '../../records/schema.js';
import { endSession, logOut, refresh, whoAmI } from './sessions.js';
import * as schema from './sessions.schema.js';

export const sessionsV1 = [
  route({
    operationId: 'getCurrentIdentity',
    method: 'GET',
    path: '/v1/identity/me',
    summary: 'Get the user of a session',
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
      'A refresh token works once. Sending it again ends its session, except for a retry within 60 seconds with the same `Idempotency-Key`.',
    auth: key('identity:read'),
    headers: { 'Idempotency-Key': 'A retry with the same key within 60 seconds gets the same response.' },
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
    description:
      'A device can end a session whose token it has, such as that of a person who has signed in there.',
    headers: { 'X-Session-Token': 'The access token of the session.' },
    auth: key('identity:read', { device: true }),
    replies: { 200: schema.LogoutReply },
    errors: ['missing_session_token', 'invalid_session_token'],
    async handler(context) {
      await logOut(context, context.header('x-session-token'));
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'endSession',
    method: 'DELETE',
    path: '/v1/sessions/:id',
    summary: 'End a person’s session; no effect if it has ended',
    description: 'If a pairing opened it, the pairing’s other session ends too.',
    auth: key('zkp:register', { console: { role: 'developer' } }),
    schemas: { params: { id: 'session_not_found' } },
    replies: { 200: schema.EndedSessionReply },
    async handler(context) {
      const { id } = context.params;
      return { session: { id, endedAt: iso(await endSession(context, id)) } };
    },
  }),
];
