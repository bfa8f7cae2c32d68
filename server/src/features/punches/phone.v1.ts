import { open, route } from '../../http/route.js';
import { phoneOf } from '../proofs/proofs.js';
import { readContext } from './context.js';
import { contestByPhone, listByPhone } from './own.js';
import { punch } from './punch.js';
import * as schema from './punches.schema.js';

/** Many phones share an address, and a whole shift comes at the same time. */
const limit = (name: string) => ({ name: `phone-attendance-${name}`, max: 1_200, windowSeconds: 60 });
const claim = ['verification_failed', 'identity_changed', 'chain_unavailable'] as const;

/** What a phone does without an API key. */
export const attendancePhone = [
  route({
    operationId: 'getAttendanceContext',
    method: 'GET',
    path: '/v1/phone/attendance/context',
    summary: 'Get what a punch says, by the code of a desk or for the phone’s own place',
    description:
      'The service mints `scannedAt`, the time of the punch. A punch counts until two minutes after it. Nothing is written.',
    auth: open,
    limit: limit('context'),
    schemas: { query: schema.ContextQuery },
    replies: { 200: schema.ContextReply },
    errors: ['attendance_code_invalid', 'attendance_network_refused'],
    secret: true,
    handler: (context) => readContext(context, context.query),
  }),
  route({
    operationId: 'createPunch',
    method: 'POST',
    path: '/v1/phone/attendance',
    summary: 'Clock in or out, as a phone of the person',
    description:
      'The proof is bound to the digest of the statement `svc-attendance-1`, which the service builds again from the body and the ticket. The phone draws the nonce. The same request again is the same event for ten minutes.',
    auth: open,
    limit: limit('punch'),
    schemas: { body: schema.PunchBody },
    replies: { 201: schema.PunchReply },
    errors: [
      ...claim,
      'attendance_code_invalid',
      'attendance_remote_refused',
      'attendance_network_refused',
      'name_not_confirmed',
      'attendance_not_found',
      'user_not_found',
    ],
    noStore: true,
    handler: (context) => punch(context, context.body),
  }),
  route({
    operationId: 'listOwnAttendance',
    method: 'POST',
    path: '/v1/phone/attendance/list',
    summary: 'List a month of the person’s own attendance, with proofs',
    description:
      'The nonce is not spent. `attendance` also has what others made for the person, and `readings` who looked at their sheet.',
    auth: open,
    limit: limit('list'),
    schemas: { body: schema.ListOwnBody },
    replies: { 200: schema.ListOwnReply },
    errors: claim,
    noStore: true,
    handler: async (context) => listByPhone(await phoneOf(context, context.body), context.body),
  }),
  route({
    operationId: 'contestAttendance',
    method: 'POST',
    path: '/v1/phone/attendance/:id/contest',
    summary: 'Say that an attendance event about oneself is wrong',
    description: 'The event stays, and shows `contestedAt`. Repeating it changes nothing.',
    auth: open,
    limit: limit('contest'),
    schemas: { params: { id: 'attendance_not_found' }, body: schema.ContestBody },
    replies: { 200: schema.ContestReply },
    errors: [...claim, 'attendance_not_found'],
    handler: async (context) =>
      contestByPhone(await phoneOf(context, context.body), context.params.id, context.body),
  }),
];
