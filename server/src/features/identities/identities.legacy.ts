import { legacy, route } from '../../http/route.js';
import { idempotencyKey } from '../../ledger/idempotency.js';
import { LEGACY_LIMIT } from '../../model/legacy-account.js';
import { describeSession, logOut, refresh } from '../sessions/sessions.js';
import * as schema from './identities.schema.js';

const headers = { 'X-Session-Token': 'The access token; `Authorization: Bearer …` may carry it instead.' };

/** A session token in either header: what a Bearer scheme does not introduce is no token, and never a missing one. */
function tokenOf({ header }: { header(name: string): string | undefined }): string | undefined {
  const bearer = header('authorization');
  return header('x-session-token') ?? bearer?.replace(/^Bearer +/i, '');
}

export const identityLegacy = [
  route({
    operationId: 'legacyGetCurrentIdentity',
    method: 'GET',
    path: '/api/auth/me',
    summary: 'What is behind a session',
    auth: legacy,
    headers,
    successor: '/v1/identity/me',
    limit: LEGACY_LIMIT,
    replies: { 200: schema.LegacyMeReply },
    errors: ['missing_session_token', 'invalid_session_token'],
    noStore: true,
    handler: (context) => describeSession(context, tokenOf(context)),
  }),
  route({
    operationId: 'legacyRefreshSession',
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Exchange a refresh token for new tokens',
    auth: legacy,
    headers: { 'Idempotency-Key': 'A retry with it within 60 seconds gets the same answer.' },
    successor: '/v1/identity/refresh',
    limit: LEGACY_LIMIT,
    schemas: { body: schema.RefreshBody },
    replies: { 200: schema.RefreshReply },
    errors: ['invalid_refresh_token'],
    secret: true,
    handler: (context) =>
      refresh(context, context.body.refreshToken, idempotencyKey(context.header('idempotency-key'))),
  }),
  route({
    operationId: 'legacyLogOut',
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End a session',
    auth: legacy,
    headers,
    successor: '/v1/identity/logout',
    limit: LEGACY_LIMIT,
    replies: { 200: schema.LogoutReply },
    errors: ['missing_session_token', 'invalid_session_token'],
    async handler(context) {
      await logOut(context, tokenOf(context));
      return { loggedOut: true };
    },
  }),
];
