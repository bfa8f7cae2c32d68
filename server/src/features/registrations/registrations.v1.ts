import { key, open, route } from '../../http/route.js';
import {
  abandonSession,
  complete,
  openSession,
  pairDevice,
  readSession,
  submitCommitment,
} from './registrations.js';
import * as schema from './registrations.schema.js';

/** Shared by the phone's three steps. The code is their only credential. */
const limit = { name: 'registration', max: 20, windowSeconds: 60 };

export const registrationsV1 = [
  route({
    operationId: 'createRegistration',
    method: 'POST',
    path: '/v1/registrations',
    summary: 'Create a registration; the pair code is the first QR code',
    auth: key('users:write'),
    schemas: { body: schema.OpenBody },
    replies: { 201: schema.OpenReply },
    errors: ['external_id_conflict', 'device_not_found', 'rate_limit_exceeded'],
    secret: true,
    handler: ({ write, deps, body }) =>
      write('registration.started', (w) => openSession(w, deps, body.profile), 'tenant'),
  }),
  route({
    operationId: 'getRegistration',
    method: 'GET',
    path: '/v1/registrations/:id',
    summary: 'Get the state of a registration',
    auth: key('users:read'),
    schemas: { params: { id: 'session_not_found' } },
    replies: { 200: schema.SessionReply },
    handler: async ({ read, deps, params }) => ({ session: await readSession(read, deps, params.id) }),
  }),
  route({
    operationId: 'cancelRegistration',
    method: 'DELETE',
    path: '/v1/registrations/:id',
    summary: 'Abandon a registration; no effect if it has ended',
    auth: key('users:write'),
    schemas: { params: { id: 'session_not_found' } },
    replies: { 200: schema.SessionReply },
    handler: async (context) => ({ session: await abandonSession(context, context.params.id) }),
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
    limit,
    schemas: { body: schema.CompleteBody },
    replies: { 201: schema.CompleteReply },
    errors: ['verify_failed'],
    handler: (context) => complete(context, context.body),
  }),
];
