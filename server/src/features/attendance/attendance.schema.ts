import Type from 'typebox';
import { exportOf } from '../../http/export.js';
import { ids } from '../../model/example-fixtures.js';
import { type Columns, createFields, createOnly, replyFields } from '../../records/columns.js';
import { includesBoth, includesNames, optionalNames, search, searchPageOf } from '../../records/list.js';
import { sorting } from '../../records/order.js';
import { Environment, FreeForm, paging, strictObject, Timestamp, uuid } from '../../records/schema.js';
import { eventFilters, eventNames } from '../verifications/verifications.js';

export const EVENT_TYPES = ['check_in', 'check_out'] as const;
export const RESULTS = ['accepted', 'rejected'] as const;
const EventType = Type.Enum([...EVENT_TYPES]);
const Result = Type.Enum([...RESULTS]);

export const attendanceColumns = {
  id: { column: 'id', schema: uuid(ids.attendance), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  userId: { column: 'user_id', schema: uuid(ids.user), type: 'uuid', create: 'required' },
  type: { column: 'type', schema: EventType, create: 'required' },
  deviceId: { column: 'device_id', schema: uuid(ids.device), type: 'uuid', ...createOnly },
  verificationId: { column: 'verification_id', schema: uuid(ids.verification), type: 'uuid', ...createOnly },
  result: { column: 'result', schema: Result, create: 'optional' },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...createOnly },
  occurredAt: { column: 'occurred_at', schema: Timestamp, type: 'timestamptz', create: 'optional' },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
} as const satisfies Columns;

export const Attendance = strictObject(replyFields(attendanceColumns), 'Attendance');

export const CreateAttendanceBody = strictObject(createFields(attendanceColumns), 'AttendanceCreateParams');

export const ListAttendanceQuery = strictObject({
  type: Type.Optional(EventType),
  result: Type.Optional(Result),
  ...eventFilters,
  ...search,
  ...sorting,
  ...includesBoth,
  ...paging,
});
export const NamedAttendance = strictObject(
  { ...Attendance.properties, ...optionalNames(eventNames) },
  'NamedAttendance',
);
export const GetAttendanceQuery = strictObject(includesNames);
export const AttendanceReply = strictObject({ attendance: Attendance });
export const NamedAttendanceReply = strictObject({ attendance: NamedAttendance });
export const AttendanceListReply = searchPageOf('attendance', NamedAttendance, 'AttendancePage');
export const attendanceExport = exportOf(ListAttendanceQuery, { ...Attendance.properties, ...eventNames });
