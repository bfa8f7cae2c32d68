import { key, open, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { submitCommitment } from './commitment.js';
import { complete } from './complete.js';
import { abandonSession } from './ends.js';
import { readContext } from './following/context.js';
import { streamRegistration } from './following/stream.js';
import { FunnelReply } from './funnel.schema.js';
import { readFunnel, sessionList, showSession } from './list.js';
import { openSession } from './open.js';
import { pairDevice } from './pair.js';
import * as schema from './registrations.schema.js';

/** Shared by the phone's three steps. The code is their only credential. */
const limit = { name: 'registration', max: 20, windowSeconds: 60 };

export const registrationsV1 = [
  route({
    operationId: 'createRegistration',
    method: 'POST',
    path: '/v1/registrations',
    summary: 'Create a registration; the pair code is the first QR code',
    auth: key('users:write', { console: { role: 'reception' }, device: true }),
    acts: [
      { act: 'recover', by: 'record' },
      { act: 'ask_recovery', by: 'record' },
      { act: 'add_phone', by: 'record' },
      { act: 'write_claims', by: 'record' },
    ],
    schemas: { body: schema.OpenBody },
    replies: { 201: schema.OpenReply },
    errors: [
      'user_not_found',
      'user_erased',
      'identity_limit_reached',
      'external_id_conflict',
      'device_not_found',
      'rate_limit_exceeded',
    ],
    secret: true,
    handler: ({ write, deps, principal, body }) =>
      write('registration.started', (w) => openSession(w, deps, principal, body), 'tenant'),
  }),
  route({
    operationId: 'listRegistrations',
    method: 'GET',
    path: '/v1/registrations',
    summary: 'List registrations, newest first',
    auth: key('users:read', { console: { role: 'member' } }),
    schemas: { query: schema.ListRegistrationsQuery },
    replies: { 200: schema.RegistrationListReply },
    compress: true,
    handler: (context) => sessionList(context),
  }),
  route({
    operationId: 'getRegistrationFunnel',
    method: 'GET',
    path: '/v1/registrations/funnel',
    summary: 'Count how far the registrations of the last 30 days came',
    description:
      'At most the newest 10,000 are counted. One that was abandoned or expired counts in each step that it reached.',
    auth: key('users:read', { console: { role: 'auditor' } }),
    schemas: { query: EnvironmentQuery },
    replies: { 200: FunnelReply },
    handler: ({ deps, scope }) => readFunnel(deps.history.of(scope), deps.clock.now()),
  }),
  route({
    operationId: 'getRegistration',
    method: 'GET',
    path: '/v1/registrations/:id',
    summary: 'Get the state of a registration',
    auth: key('users:read', { console: { role: 'member' }, device: true }),
    schemas: { params: { id: 'session_not_found' }, query: schema.GetRegistrationQuery },
    replies: { 200: schema.ShownSessionReply },
    handler: async (context) => ({ session: await showSession(context, context.params.id) }),
  }),
  route({
    operationId: 'streamRegistration',
    method: 'GET',
    path: '/v1/registrations/:id/stream',
    summary: 'Stream a registration and its changes',
    description:
      'An event `registration` has the session: first as it is, then after each new state, and when a phone opens the first code. The stream ends when the ceremony has ended, also with `pending_recovery`.',
    auth: key('users:read', { console: { role: 'member' }, device: true }),
    schemas: { params: { id: 'session_not_found' } },
    replies: { 200: 'text/event-stream' },
    examples: { 200: schema.streamExample },
    errors: ['rate_limit_exceeded'],
    handler: (context) => streamRegistration(context, context.params.id),
  }),
  route({
    operationId: 'cancelRegistration',
    method: 'DELETE',
    path: '/v1/registrations/:id',
    summary: 'Abandon a registration; no effect if it has ended',
    auth: key('users:write', { console: { role: 'reception' }, device: true }),
    acts: [{ act: 'end_recovery', by: 'record' }],
    schemas: { params: { id: 'session_not_found' } },
    replies: { 200: schema.SessionReply },
    handler: async (context) => ({ session: await abandonSession(context, context.params.id) }),
  }),
  route({
    operationId: 'getRegistrationContext',
    method: 'POST',
    path: '/v1/registrations/context',
    summary: 'Read the company and the person, by the phone, before step 1',
    description: 'The pair code stays unused. The desk learns that a phone has opened it.',
    auth: open,
    limit: { ...limit, name: 'registration-context' },
    schemas: { body: schema.ContextBody },
    replies: { 200: schema.ContextReply },
    errors: ['pair_failed'],
    noStore: true,
    handler: (context) => readContext(context, context.body),
  }),
  route({
    operationId: 'pairRegistrationDevice',
    method: 'POST',
    path: '/v1/registrations/pair-device',
    summary: 'Step 1, by the phone: pair with the pair code',
    auth: open,
    limit,
    schemas: { body: schema.PairBody },
    replies: { 201: schema.PairReply },
    errors: ['pair_failed'],
    secret: true,
    handler: (context) => pairDevice(context, context.body),
  }),
  route({
    operationId: 'submitRegistrationCommitment',
    method: 'POST',
    path: '/v1/registrations/submit-commitment',
    summary: 'Step 2, by the phone: submit DID and commitment with the enroll code',
    auth: open,
    limit,
    schemas: { body: schema.CommitmentBody },
    replies: { 201: schema.CommitmentReply },
    errors: ['enroll_failed'],
    secret: true,
    handler: (context) => submitCommitment(context, context.body),
  }),
  route({
    operationId: 'completeRegistration',
    method: 'POST',
    path: '/v1/registrations/complete',
    summary: 'Step 3, by the phone: submit the proof with the verify code and the challenge',
    auth: open,
    acts: [
      { act: 'recover', by: 'proof' },
      { act: 'add_phone', by: 'proof' },
    ],
    limit,
    keysOnce: true,
    schemas: { body: schema.CompleteBody },
    replies: { 201: schema.CompleteReply },
    errors: ['verify_failed'],
    secret: true,
    handler: (context) => complete(context, context.body),
  }),
];
