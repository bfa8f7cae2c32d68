import Type, { type TSchema } from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { createdIn } from '../../records/list.js';
import { pageOf, paging, strictObject, Timestamp, uuid } from '../../records/schema.js';
import { NamedApproval } from '../approvals/approvals.js';
import { NamedAttendance } from '../attendance/attendance.js';
import { ConsoleAuditEvent } from '../audit/audit.js';
import { PairingSession } from '../pairing/pairing.js';
import { NamedVerification } from '../verifications/verifications.js';

export const KINDS = ['verification', 'pairing', 'attendance', 'approval', 'event'] as const;
const OUTCOMES = ['good', 'failed', 'waiting'] as const;

export const ActivityQuery = strictObject({
  kind: Type.Optional(Type.Enum([...KINDS])),
  outcome: Type.Optional(Type.Enum([...OUTCOMES])),
  userId: Type.Optional(uuid(ids.user)),
  deviceId: Type.Optional(uuid(ids.device)),
  ...createdIn,
  ...paging,
});

const of = <const Kind extends (typeof KINDS)[number], T extends TSchema>(kind: Kind, record: T) =>
  strictObject({ kind: Type.Enum([kind]), id: uuid(ids.verification), at: Timestamp, record });

/** Each with the record as its own list returns it, with names. */
const Activity = Type.Union(
  [
    of('verification', NamedVerification),
    of('pairing', PairingSession),
    of('attendance', NamedAttendance),
    of('approval', NamedApproval),
    of('event', ConsoleAuditEvent),
  ],
  { title: 'Activity' },
);

export const ActivityReply = pageOf('activity', Activity);
