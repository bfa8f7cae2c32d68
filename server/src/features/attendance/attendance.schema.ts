import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Timestamp,
  Uuid,
} from '../../kernel/schema.js';

const EventType = Type.Enum(['check_in', 'check_out']);
const Result = Type.Enum(['accepted', 'rejected']);

export const Attendance = closed(
  {
    id: Uuid,
    environment: Environment,
    userId: Uuid,
    type: EventType,
    deviceId: Nullable(Uuid),
    verificationId: Nullable(Uuid),
    result: Result,
    metadata: Nullable(FreeForm),
    occurredAt: Timestamp,
    createdAt: Timestamp,
  },
  'Attendance',
);

export const CreateAttendanceBody = closed({
  userId: Uuid,
  type: EventType,
  deviceId: Type.Optional(Uuid),
  verificationId: Type.Optional(Uuid),
  result: Type.Optional(Result),
  metadata: Type.Optional(FreeForm),
  occurredAt: Type.Optional(Timestamp),
});

export const ListAttendanceQuery = closed({
  type: Type.Optional(EventType),
  result: Type.Optional(Result),
  ...paging,
});
export const AttendanceReply = closed({ attendance: Attendance });
export const AttendanceListReply = pageOf('attendance', Attendance);
