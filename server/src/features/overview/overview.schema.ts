import Type from 'typebox';
import { closed, Environment } from '../../kernel/schema.js';
import { Attendance } from '../attendance/attendance.js';
import { AuditEvent } from '../audit/audit.js';
import { Device } from '../devices/devices.js';
import { User } from '../users/users.js';
import { Verification } from '../verifications/verifications.js';

const Count = Type.Integer({ minimum: 0 });

export const OverviewReply = closed({
  environment: Environment,
  counts: closed({ devices: Count, users: Count, verifications: Count, attendance: Count, audit: Count }),
  recent: closed({
    devices: Type.Array(Device),
    users: Type.Array(User),
    verifications: Type.Array(Verification),
    attendance: Type.Array(Attendance),
    audit: Type.Array(AuditEvent),
  }),
});
