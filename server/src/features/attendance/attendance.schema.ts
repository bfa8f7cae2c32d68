import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Timestamp,
  uuid,
} from '../../kernel/schema.js';
import { ids } from '../../model/story.js';
import { eventFilters } from '../verifications/verifications.js';

const UserId = uuid(ids.user);
const DeviceId = uuid(ids.device);
const VerificationId = uuid(ids.verification);
export const EVENT_TYPES = ['check_in', 'check_out'] as const;
export const RESULTS = ['accepted', 'rejected'] as const;
const EventType = Type.Enum([...EVENT_TYPES]);
const Result = Type.Enum([...RESULTS]);

export const Attendance = closed(
  {
    id: uuid(ids.attendance),
    environment: Environment,
    userId: UserId,
    type: EventType,
    deviceId: Nullable(DeviceId),
    verificationId: Nullable(VerificationId),
    result: Result,
    metadata: Nullable(FreeForm),
    occurredAt: Timestamp,
    createdAt: Timestamp,
  },
  'Attendance',
);

export const CreateAttendanceBody = closed(
  {
    userId: UserId,
    type: EventType,
    deviceId: Type.Optional(DeviceId),
    verificationId: Type.Optional(VerificationId),
    result: Type.Optional(Result),
    metadata: Type.Optional(FreeForm),
    occurredAt: Type.Optional(Timestamp),
  },
  'AttendanceCreateParams',
);

export const ListAttendanceQuery = closed({
  type: Type.Optional(EventType),
  result: Type.Optional(Result),
  ...eventFilters,
  ...paging,
});
export const AttendanceReply = closed({ attendance: Attendance });
export const AttendanceListReply = pageOf('attendance', Attendance);
