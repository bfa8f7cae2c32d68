import { console, deviceSession, open, route, staff } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { phoneOf } from '../proofs/proofs.js';
import { decideByPin, declareByMember, declareByPin, readOwnMonth } from './declare.js';
import { changePin, drawPin, resetPin, setPinByPhone } from './pins.js';
import * as schema from './pins.schema.js';

const errors = ['pin_rejected', 'pin_locked', 'desk_without_site'] as const;

/** What people do without a phone, at a desk. */
export const pinsV1 = [
  route({
    operationId: 'declareAttendance',
    method: 'POST',
    path: '/v1/attendance/declared',
    summary: 'Clock in or out without a phone, with a personnel number and a PIN',
    description:
      'The event is `declared`, and counts fully. The same act again within a minute is the same event. Five wrong PINs of a number lock it for 15 minutes.',
    auth: deviceSession,
    schemas: { body: schema.DeclareBody },
    replies: { 201: schema.DeclareReply },
    errors: [...errors, 'pin_change_required'],
    handler: (context) => declareByPin(context, context.body),
  }),
  route({
    operationId: 'changeAttendancePin',
    method: 'POST',
    path: '/v1/attendance/declared/pin',
    summary: 'Change one’s PIN at a desk',
    auth: deviceSession,
    schemas: { body: schema.ChangePinBody },
    replies: { 200: schema.PinSetReply },
    errors,
    handler: (context) => changePin(context, context.body),
  }),
  route({
    operationId: 'readDeclaredMonth',
    method: 'POST',
    path: '/v1/attendance/declared/month',
    summary: 'Read one’s month at a desk, to print it',
    auth: deviceSession,
    schemas: { body: schema.OwnMonthBody },
    replies: { 200: schema.OwnMonthReply },
    errors: [...errors, 'pin_change_required', 'user_not_found'],
    noStore: true,
    handler: (context) => readOwnMonth(context, context.body),
  }),
  route({
    operationId: 'decideDeclaredCorrection',
    method: 'POST',
    path: '/v1/attendance/declared/corrections/:id/decide',
    summary: 'Agree to a correction of one’s attendance at a desk, or contest it',
    auth: deviceSession,
    schemas: { params: { id: 'correction_not_found' }, body: schema.DecideByPinBody },
    replies: { 200: schema.CorrectionReply },
    errors: [
      ...errors,
      'pin_change_required',
      'correction_closed',
      'correction_outdated',
      'correction_waits_for_member',
      'correction_of_oneself',
    ],
    handler: (context) => decideByPin(context, context.params.id, context.body),
  }),
  route({
    operationId: 'declareAtDesk',
    method: 'POST',
    path: '/v1/staff/attendance',
    summary: 'Clock a person in or out, as a member beside them',
    auth: staff,
    schemas: { body: schema.StaffDeclareBody },
    replies: { 201: schema.DeclareReply },
    errors: ['user_not_found', 'user_erased'],
    handler: (context) => declareByMember(context, context.body),
  }),
  route({
    operationId: 'drawPinAtDesk',
    method: 'POST',
    path: '/v1/staff/pins',
    summary: 'Draw a PIN for a person, as a member beside them',
    auth: staff,
    acts: ['reset_pin'],
    schemas: { body: schema.DrawBody },
    replies: { 201: schema.DrawnReply },
    errors: ['user_not_found', 'user_erased'],
    noStore: true,
    handler: (context) => drawPin(context, context.body.userId),
  }),
  route({
    operationId: 'resetAttendancePin',
    method: 'DELETE',
    path: '/v1/users/:userId/attendance-pin',
    summary: 'Take away the PIN of a person, who sees it on their phone',
    auth: console({ role: 'member', right: 'hours' }),
    acts: ['reset_pin'],
    schemas: { params: { userId: 'user_not_found' }, query: EnvironmentQuery },
    replies: { 200: schema.PinSetReply },
    errors: ['user_erased'],
    handler: (context) => resetPin(context, context.params.userId),
  }),
  route({
    operationId: 'setAttendancePin',
    method: 'POST',
    path: '/v1/phone/attendance/pin',
    summary: 'Set one’s PIN for desks, on the phone',
    description:
      'The proof is bound to the hex SHA-256 of `svc-pin-v1|<nonce>|<pin>`, so nobody can put another PIN in.',
    auth: open,
    limit: { name: 'phone-attendance-pin', max: 600, windowSeconds: 60 },
    schemas: { body: schema.PhonePinBody },
    replies: { 200: schema.PinSetReply },
    errors: ['verification_failed', 'identity_changed', 'chain_unavailable'],
    handler: async (context) => {
      const caller = await phoneOf(context, context.body);
      return setPinByPhone({ ...caller, deps: context.deps }, context.body);
    },
  }),
];
