import { key, route } from '../../http/route.js';
import { sealedAttendance } from '../attendance/attendance.js';
import { sealedDevices } from '../devices/devices.js';
import { requireAttendanceReader } from '../sites/sites.js';
import { sealedUsers } from '../users/users.js';
import { sealedVerifications } from '../verifications/verifications.js';
import { proveRecord } from './seals.js';
import { AttendanceProof, DeviceProof, ProofQuery, UserProof, VerificationProof } from './seals.schema.js';

const more = { also: 'audit:read', console: { role: 'auditor' } } as const;
const description =
  'What the seal of the record is made of, the audit entry with the seal, and the proof that the entry is in the signed tree. How to check it is in docs/audit.md. The service waits up to two seconds for the tree. If it is not signed by then, `tree` and `inclusion` are null: ask again later. If somebody has set a value in the database that the API cannot show, `record` has only the `id`. `entry` is null if no entry sealed the record.';

export const sealsV1 = [
  route({
    operationId: 'getDeviceProof',
    method: 'GET',
    path: '/v1/devices/:deviceId/proof',
    summary: 'Prove what a device says, by the audit chain',
    description,
    auth: key('devices:read', more),
    schemas: { params: { deviceId: 'device_not_found' }, query: ProofQuery },
    replies: { 200: DeviceProof },
    handler: (context) => proveRecord(context, sealedDevices, context.params.deviceId, 'device_not_found'),
  }),
  route({
    operationId: 'getUserProof',
    method: 'GET',
    path: '/v1/users/:userId/proof',
    summary: 'Prove what the record of a person says, by the audit chain',
    description,
    auth: key('users:read', more),
    schemas: { params: { userId: 'user_not_found' }, query: ProofQuery },
    replies: { 200: UserProof },
    handler: (context) => proveRecord(context, sealedUsers, context.params.userId, 'user_not_found'),
  }),
  route({
    operationId: 'getVerificationProof',
    method: 'GET',
    path: '/v1/verifications/:verificationId/proof',
    summary: 'Prove what a verification event says, by the audit chain',
    description,
    auth: key('verifications:read', more),
    schemas: { params: { verificationId: 'verification_not_found' }, query: ProofQuery },
    replies: { 200: VerificationProof },
    handler: (context) =>
      proveRecord(context, sealedVerifications, context.params.verificationId, 'verification_not_found'),
  }),
  route({
    operationId: 'getAttendanceProof',
    method: 'GET',
    path: '/v1/attendance/:attendanceId/proof',
    summary: 'Prove what an attendance event says, by the audit chain',
    description,
    auth: key('attendance:read', more),
    schemas: { params: { attendanceId: 'attendance_not_found' }, query: ProofQuery },
    replies: { 200: AttendanceProof },
    handler: async (context) => {
      await requireAttendanceReader(context);
      return proveRecord(context, sealedAttendance, context.params.attendanceId, 'attendance_not_found');
    },
  }),
];
