import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { listPairings, openPairing, pollPairing } from './pairing.js';
import * as schema from './pairing.schema.js';
import { streamPairing } from './pairing-events.js';
import { cookies, setsCookie, streamExample } from './pairing-openapi.js';

const params = { id: 'pairing_session_not_found' } as const;

export const proofPairingConsole = [
  route({
    operationId: 'consoleListPairingSessions',
    method: 'GET',
    path: '/api/console/pairing',
    summary: 'List pairing sessions of an environment, newest first',
    auth: console,
    schemas: { query: schema.ConsoleListQuery },
    replies: { 200: schema.ListReply },
    compress: true,
    handler: (context) => listPairings(context),
  }),
  route({
    operationId: 'consoleCreatePairingSession',
    method: 'POST',
    path: '/api/console/pairing',
    summary: 'Create a pairing session and its QR code',
    auth: console,
    schemas: { query: EnvironmentQuery, body: schema.CreateBody },
    replies: { 201: schema.CreatedReply },
    errors: ['origin_not_allowed'],
    replyHeaders: setsCookie('/api/console/pairing'),
    noStore: true,
    handler: async (context) => ({ session: await openPairing(context) }),
  }),
  route({
    operationId: 'consoleStreamPairingSession',
    method: 'GET',
    path: '/api/console/pairing/:id/stream',
    summary: 'Stream the events of a session',
    description:
      'Like `/v1/proof-pairing/sessions/:id/stream`, for a session that this browser created here.',
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    headers: { 'Last-Event-ID': 'The last event that was seen; what came after it is sent.' },
    cookies,
    replies: { 200: 'text/event-stream' },
    examples: { 200: streamExample },
    errors: ['pairing_bind_mismatch', 'rate_limit_exceeded'],
    secret: true,
    handler: (context) => streamPairing(context, context.params.id, context.header('last-event-id')),
  }),
  route({
    operationId: 'consoleGetPairingSession',
    method: 'GET',
    path: '/api/console/pairing/:id',
    summary: 'Get the state of a session, without a stream',
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    cookies,
    replies: { 200: schema.PollReply },
    errors: ['pairing_bind_mismatch'],
    secret: true,
    handler: (context) => pollPairing(context, context.params.id),
  }),
];
