import Type, { type Static, type TSchema } from 'typebox';
import { exportOf } from '../../http/export.js';
import { ids } from '../../model/example-fixtures.js';
import { type Columns, createFields, createOnly, replyFields } from '../../records/columns.js';
import { includesBoth, includesNames, optionalNames, search, searchPageOf } from '../../records/list.js';
import { sorting } from '../../records/order.js';
import { Environment, FreeForm, paging, strictObject, Timestamp, uuid } from '../../records/schema.js';
import { eventFilters, eventNames } from '../verifications/verifications.js';

export const EVENT_TYPES = ['check_in', 'check_out'] as const;
export const RESULTS = ['accepted', 'rejected'] as const;
const REASONS = ['work', 'break'] as const;
const MODES = ['desk', 'remote'] as const;
const EVIDENCE = ['proved', 'declared', 'agreed', 'asserted'] as const;
export const EventType = Type.Enum([...EVENT_TYPES]);
const Result = Type.Enum([...RESULTS]);
export const Reason = Type.Enum([...REASONS], {
  description:
    '`break`: a check-out begins a break, and a check-in ends it. Null in events from before there were reasons.',
  examples: ['work'],
});
/** Of what somebody worked on, as a program knows it. */
export const Activity = Type.String({
  maxLength: 32,
  pattern: '^[A-Za-z0-9._-]{1,32}$',
  description: '1 to 32 letters, digits, dots, underscores and hyphens',
  examples: ['night-shift'],
});
export const Mode = Type.Enum([...MODES], {
  description: 'Where a phone proved it. Null: no phone did.',
  examples: ['desk'],
});
const Evidence = Type.Enum([...EVIDENCE], {
  description:
    '`proved` by the phone of the person, `declared` by them without a phone, `agreed` by a correction, `asserted` by an API key or a member. ' +
    'Null in events from before: those are asserted too.',
  examples: ['proved'],
});
const absent = <T extends TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T>>({ ...schema, description, examples: [null] });

export const attendanceColumns = {
  id: { column: 'id', schema: uuid(ids.attendance), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  userId: { column: 'user_id', schema: uuid(ids.user), type: 'uuid', create: 'required' },
  type: { column: 'type', schema: EventType, create: 'required' },
  reason: { column: 'reason', schema: Reason, ...createOnly },
  activity: { column: 'activity', schema: Activity, ...createOnly },
  mode: { column: 'mode', schema: Mode, nullable: true },
  evidence: { column: 'evidence', schema: Evidence, nullable: true },
  siteId: {
    column: 'site_id',
    schema: { ...uuid(ids.site), description: 'The site whose sheets show it.' },
    type: 'uuid',
    nullable: true,
  },
  deviceId: { column: 'device_id', schema: uuid(ids.device), type: 'uuid', ...createOnly },
  verificationId: { column: 'verification_id', schema: uuid(ids.verification), type: 'uuid', ...createOnly },
  correctionId: {
    column: 'correction_id',
    schema: absent(uuid(ids.correction), 'The correction that made it.'),
    type: 'uuid',
    nullable: true,
  },
  result: { column: 'result', schema: Result, create: 'optional' },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...createOnly },
  occurredAt: { column: 'occurred_at', schema: Timestamp, type: 'timestamptz', create: 'optional' },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  contestedAt: {
    column: 'contested_at',
    schema: absent(Timestamp, 'When the person said on their phone that it is wrong.'),
    type: 'timestamptz',
    nullable: true,
  },
  voidedBy: {
    column: 'voided_by',
    schema: absent(
      uuid(ids.correction),
      'The correction that replaced it or took it back. Such an event counts in no sheet and no presence.',
    ),
    type: 'uuid',
    nullable: true,
  },
} as const satisfies Columns;

export const Attendance = strictObject(replyFields(attendanceColumns), 'Attendance');

export const CreateAttendanceBody = strictObject(createFields(attendanceColumns), 'AttendanceCreateParams');

export const ListAttendanceQuery = strictObject({
  type: Type.Optional(EventType),
  result: Type.Optional(Result),
  siteId: Type.Optional(uuid(ids.site)),
  voided: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`false` leaves out events that a correction replaced or took back, `true` all others. Default: both.',
      examples: ['false'],
    }),
  ),
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
