import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
} from '../../records/schema.js';
import { Attendance } from '../attendance/attendance.js';
import { AuditEvent } from '../audit/audit.js';
import { Device } from '../devices/devices.js';
import { User } from '../users/users.js';
import { Verification } from '../verifications/verifications.js';

export const OverviewQuery = strictObject({
  environment: Type.Optional(Environment),
  since: Type.Optional(Timestamp),
});

/** People whose last identity an API key has revoked. */
export const LockedOut = Type.Array(
  strictObject({
    userId: uuid(ids.user),
    userName: exampleText('Ada Lovelace'),
    revokedAt: Timestamp,
    keyName: exampleText('Check-in service', 'The API key that revoked the person’s last identity.'),
  }),
  { description: 'At most five, of the last 7 days, newest first.' },
);

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
  today: strictObject({
    signedIn: { ...count(118), description: 'People who passed a verification.' },
    registered: { ...count(4), description: 'Registrations that were completed.' },
    added: { ...count(3), description: 'People who were added.' },
  }),
  lockedOut: LockedOut,
  identitiesLockedAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Since when the identities of the account cannot be used, after a restore from a backup. Null: they can. `POST /api/console/account/confirm-restore` unlocks them.',
      examples: ['2026-05-12T09:30:00.000Z'],
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
