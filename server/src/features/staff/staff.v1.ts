import { deviceSession, route, staff } from '../../http/route.js';
import { PresenceReply, readPresence } from '../attendance/attendance.js';
import { RevokeReply, revokeIdentity, serializeRevoked } from '../identities/identities.js';
import { OpenReply, openSession } from '../registrations/registrations.js';
import { findPeople } from './people.js';
import { endStaff, startStaff } from './staff.js';
import * as schema from './staff.schema.js';

export const staffV1 = [
  route({
    operationId: 'startStaffSession',
    method: 'POST',
    path: '/v1/staff/session',
    summary: 'Let a member act at this desk for ten minutes',
    description:
      'With the session of the device, and a passkey of the member (the options are those of `POST /api/console/session/passkey/options`), or their e-mail and password. The token is for the routes below `/v1/staff` alone. Each request sends it in Authorization, and the token of the device’s session in X-Device-Session. It ends after two minutes without a request, and when somebody begins at the desk.',
    auth: deviceSession,
    schemas: { body: schema.StartBody },
    replies: { 201: schema.StartReply },
    errors: ['invalid_credentials', 'role_insufficient', 'rate_limit_exceeded'],
    secret: true,
    handler: (context) => startStaff(context, context.body),
  }),
  route({
    operationId: 'endStaffSession',
    method: 'DELETE',
    path: '/v1/staff/session',
    summary: 'End the session of the member at this desk',
    auth: staff,
    replies: { 200: schema.EndReply },
    handler: (context) => endStaff(context),
  }),
  route({
    operationId: 'findPeopleAtDesk',
    method: 'GET',
    path: '/v1/staff/people',
    summary: 'Find people by whole words of their name',
    description: 'At most 20 searches in ten minutes at each desk.',
    auth: staff,
    schemas: { query: schema.FindQuery },
    replies: { 200: schema.FindReply },
    handler: (context) => findPeople(context),
  }),
  route({
    operationId: 'registerAtDesk',
    method: 'POST',
    path: '/v1/staff/registrations',
    summary: 'Create a registration for a known or a new person, whose name the member confirms',
    description:
      'For a person who had a phone, it asks for a recovery, which an owner confirms. The desk follows it with `GET /v1/registrations/:id` and its own session.',
    auth: staff,
    acts: [
      { act: 'recover', by: 'record' },
      { act: 'ask_recovery', by: 'record' },
      { act: 'add_phone', by: 'record' },
      'confirm_name',
    ],
    schemas: { body: schema.RegisterBody },
    replies: { 201: OpenReply },
    errors: ['user_not_found', 'user_erased', 'identity_limit_reached', 'rate_limit_exceeded'],
    secret: true,
    handler: ({ write, deps, principal, body: { how, ...body } }) =>
      write('registration.started', (w) => openSession(w, deps, principal, body, how), 'tenant'),
  }),
  route({
    operationId: 'lockPhoneAtDesk',
    method: 'POST',
    path: '/v1/staff/lock',
    summary: 'Lock a phone: revoke its identity and end its sessions',
    auth: staff,
    acts: ['revoke_identity', { act: 'end_recovery', by: 'record' }],
    schemas: { body: schema.LockBody },
    replies: { 200: RevokeReply },
    errors: ['identity_not_found', 'role_insufficient'],
    handler: async (context) => ({
      identity: serializeRevoked(await revokeIdentity(context, { did: context.body.did, keyId: null })),
    }),
  }),
  route({
    operationId: 'getPresenceAtDesk',
    method: 'GET',
    path: '/v1/staff/presence',
    summary: 'Get who is present',
    auth: staff,
    replies: { 200: PresenceReply },
    compress: true,
    handler: ({ deps, scope }) => readPresence(deps.history.of(scope), deps),
  }),
];
