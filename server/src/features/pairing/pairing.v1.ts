import { key, open, route } from '../../http/route.js';
import { openPairing, pollPairing, publicPairing, submitProof } from './pairing.js';
import * as schema from './pairing.schema.js';
import { streamPairing } from './pairing-events.js';
import { cookies, setsCookie, streamExample } from './pairing-examples.js';

const params = { id: 'pairing_session_not_found' } as const;
export const proofPairingV1 = [
  route({
    operationId: 'createPairingSession',
    method: 'POST',
    path: '/v1/proof-pairing/sessions',
    summary: 'Create a pairing session and its QR code',
    description:
      'Sets the cookie `svc_pair_bind`, which watching the session requires. It covers up to four sessions, so several tabs can wait.',
    auth: key('proof_pairing:create'),
    replies: { 201: schema.CreatedReply },
    replyHeaders: setsCookie('/v1/proof-pairing/'),
    noStore: true,
    handler: async (context) => ({ session: await openPairing(context) }),
  }),
  route({
    operationId: 'submitPairingProof',
    method: 'POST',
    path: '/v1/proof-pairing/sessions/:id/submit',
    summary: 'Submit the phone’s proof and bind the session',
    description: 'The device attestation verdict is a claim by the client. The service does not verify it.',
    auth: key('proof_pairing:claim'),
    schemas: { params, body: schema.SubmitBody },
    replies: { 200: schema.SubmitReply },
    errors: [
      'device_attestation_required',
      'device_attestation_insufficient',
      'pairing_nonce_mismatch',
      'verification_failed',
      'chain_unavailable',
      'pairing_session_already_bound',
      'pairing_session_expired',
    ],
    secret: true,
    handler: (context) => submitProof(context, context.params.id, context.body),
  }),
  route({
    operationId: 'streamPairingSession',
    method: 'GET',
    path: '/v1/proof-pairing/sessions/:id/stream',
    summary: 'Stream the events of a session',
    description:
      'Requires the cookie. The stream starts with the current state or, with `Last-Event-ID`, with the events after it. Events: `session_created`, `session_error`, and finally `session_bound` (with tokens) or `session_expired`, after which the stream ends.',
    auth: key('proof_pairing:create'),
    schemas: { params },
    headers: { 'Last-Event-ID': 'The last event that was seen; what came after it is sent.' },
    cookies,
    replies: { 200: 'text/event-stream' },
    examples: { 200: streamExample },
    errors: ['pairing_bind_mismatch'],
    secret: true,
    handler: (context) => streamPairing(context, context.params.id, context.header('last-event-id')),
  }),
  route({
    operationId: 'getPairingSession',
    method: 'GET',
    path: '/v1/proof-pairing/sessions/:id',
    summary: 'Get the state of a session, without a stream',
    description: 'Requires the cookie. Returns the tokens of the desktop from the bind until `expiresAt`.',
    auth: key('proof_pairing:create'),
    schemas: { params },
    cookies,
    replies: { 200: schema.PollReply },
    errors: ['pairing_bind_mismatch'],
    secret: true,
    handler: (context) => pollPairing(context, context.params.id),
  }),
  route({
    operationId: 'getPublicPairingSession',
    method: 'GET',
    path: '/v1/proof-pairing/sessions/:id/public',
    summary: 'Get the public state of a session, for a phone that scanned its code',
    auth: open,
    limit: { name: 'pairing-public', max: 30, windowSeconds: 60 },
    schemas: { params },
    replies: { 200: schema.PublicReply },
    noStore: true,
    handler: ({ deps, params: { id } }) => publicPairing(deps, id),
  }),
];
