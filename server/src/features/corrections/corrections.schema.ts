import { CORRECTION_CAUSES } from '@svc/zk/time/correction';
import Type from 'typebox';
import { hash, ids } from '../../model/example-fixtures.js';
import { includesNames, optionalNames } from '../../records/list.js';
import {
  Environment,
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { Attendance, EventType, Reason } from '../attendance/attendance.js';
import { Did, singleUseProof } from '../proofs/proofs.js';
import { USER_STATUSES } from '../users/users.js';

export const CORRECTION_STATES = ['proposed', 'agreed', 'contested', 'unanswered', 'withdrawn'] as const;
const State = Type.Enum([...CORRECTION_STATES], {
  description:
    '`contested`: the other side declined, and both versions stay. `unanswered`: nobody decided in 30 days.',
  examples: ['proposed'],
});
const Cause = withExample('forgotten', Type.Enum([...CORRECTION_CAUSES]));
const Note = withExample('The battery of my phone was empty.', Text(500));

const time = { type: EventType, reason: Reason, occurredAt: timestamp('2026-05-12T14:30:00.000Z') };
/** A request and a response have schemas of their own: responses may gain fields. */
const newOf = (kind: '' | 'Params') => Nullable(strictObject(time, `CorrectedTime${kind}`));
const changeOf = (kind: '' | 'Params') =>
  strictObject(
    {
      old: Nullable(strictObject({ id: uuid(ids.attendance), ...time }, `CorrectedEvent${kind}`)),
      new: newOf(kind),
    },
    `CorrectionChange${kind}`,
  );

/** What somebody proposes: the event that changes, if one does, and what it is instead. */
const proposal = {
  cause: Cause,
  note: Type.Optional(Note),
  changes: Type.Array(
    strictObject(
      {
        old: withExample(
          null,
          Nullable({ ...uuid(ids.attendance), description: 'The event that it replaces. Null: none.' }),
        ),
        new: newOf('Params'),
      },
      'ProposedChangeParams',
    ),
    { minItems: 1, maxItems: 10 },
  ),
};
export const ProposeBody = strictObject({ userId: uuid(ids.user), ...proposal }, 'CorrectionCreateParams');

const Side = (description: string) => Nullable({ ...timestamp('2026-05-12T09:31:20.000Z'), description });
export const Correction = strictObject(
  {
    id: uuid(ids.correction),
    environment: Environment,
    userId: uuid(ids.user),
    siteId: Nullable(uuid(ids.site)),
    state: State,
    cause: Cause,
    note: Nullable(Note),
    changes: Type.Array(changeOf('')),
    correctionSha256: exampleText(
      hash,
      'SHA-256 of the canonical JSON (RFC 8785) of `userId`, `cause`, `note` and `changes`.',
    ),
    proposedBy: withExample('person', Type.Enum(['person', 'member'])),
    memberId: Nullable({ ...uuid(ids.member), description: 'Who decided or proposed it for the account.' }),
    personBy: Nullable(
      withExample(
        'phone',
        Type.Enum(['phone', 'pin'], { description: 'How the person decided or proposed it.' }),
      ),
    ),
    personAt: Side('When the person said yes or no.'),
    memberAt: Side('When the member did.'),
    createdAt: Timestamp,
    expiresAt: timestamp('2026-06-11T09:30:00.000Z'),
    endedAt: withExample(null, Nullable(Timestamp)),
    recordedAt: withExample(
      null,
      Nullable({ ...Timestamp, description: 'When the account recorded what it says, without agreement.' }),
    ),
  },
  'Correction',
);
export const CorrectionReply = strictObject({ correction: Correction });
export const ListQuery = strictObject({
  state: Type.Optional(State),
  userId: Type.Optional(uuid(ids.user)),
  siteId: Type.Optional(uuid(ids.site)),
  ...paging,
  ...includesNames,
});
const NamedCorrection = strictObject(
  {
    ...Correction.properties,
    ...optionalNames({
      userName: Nullable(exampleText('Ada Lovelace')),
      userStatus: Nullable(
        withExample('active', Type.Enum([...USER_STATUSES], { description: 'Of the person now.' })),
      ),
    }),
  },
  'NamedCorrection',
);
export const ListReply = strictObject(pageOf('corrections', NamedCorrection).properties, 'CorrectionPage');

const Decision = withExample('agree', Type.Enum(['agree', 'contest']));
export const DecideBody = strictObject({ decision: Decision }, 'CorrectionDecideParams');
export const RecordReply = strictObject({ correction: Correction, attendance: Type.Array(Attendance) });

const account = { tenantId: uuid(ids.tenant), environment: Environment };
const { nonce, timestamp: sentAt, ...proof } = singleUseProof;
export const PhoneProposeBody = strictObject(
  {
    ...account,
    did: Did,
    ...proof,
    id: { ...nonce, description: 'The id of the correction, which the phone draws: a UUID version 4.' },
    createdAt: sentAt,
    correction: strictObject(
      { userId: uuid(ids.user), cause: Cause, note: Nullable(Note), changes: Type.Array(changeOf('Params')) },
      'ProposedCorrectionParams',
    ),
  },
  'PhoneCorrectionCreateParams',
);
export const PhoneDecideBody = strictObject(
  { ...account, did: Did, ...proof, decision: Decision, digest: exampleText(hash), decidedAt: sentAt },
  'PhoneCorrectionDecideParams',
);
