import Type from 'typebox';
import { count, Environment, exampleText, strictObject } from '../../records/schema.js';
import { Attendance } from '../attendance/attendance.js';
import { AuditEvent } from '../audit/audit.js';
import { Device } from '../devices/devices.js';
import { User } from '../users/users.js';
import { Verification } from '../verifications/verifications.js';

export const OverviewReply = strictObject({
  environment: Environment,
  counts: strictObject({
    devices: count(3),
    users: count(118),
    verifications: count(940),
    attendance: count(612),
    audit: count(2041),
  }),
  verificationDays: Type.Array(
    strictObject({
      day: exampleText('2026-05-12', 'A day of UTC. Verifications count on the day of their `occurredAt`.'),
      pass: count(61),
      fail: count(2),
      challenge: count(1),
    }),
  ),
  recent: strictObject({
    devices: Type.Array(Device),
    users: Type.Array(User),
    verifications: Type.Array(Verification),
    attendance: Type.Array(Attendance),
    audit: Type.Array(AuditEvent),
  }),
});
