import Type from 'typebox';
import { did, ids, times } from '../../../model/example-fixtures.js';
import {
  exampleText,
  flag,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { Did, singleUseProof } from '../../proofs/proofs.js';

/** The states of a registration that became a recovery. */
const RECOVERY_STATES = ['pending_recovery', 'completed', 'abandoned'] as const;

const Recovery = strictObject(
  {
    id: uuid(ids.registration),
    userId: uuid(ids.user),
    userName: Nullable(exampleText('Ada Lovelace')),
    state: Type.Enum([...RECOVERY_STATES]),
    openedAt: Timestamp,
    // A member. Null: an API key.
    openedBy: Nullable(uuid(ids.tenant)),
    completesAt: timestamp(times.nextYear),
    contestedAt: withExample(null, Nullable(Timestamp)),
    confirmedAt: withExample(null, Nullable(Timestamp)),
    held: flag(
      false,
      'It waits until it is confirmed: a phone that was revoked before contested it, the policy asks for another member, or reception asked for it.',
    ),
    confirmationsNeeded: withExample(
      0,
      Type.Integer({ minimum: 0, maximum: 2, description: 'How many members have to confirm it.' }),
    ),
    confirmedBy: withExample(
      [],
      Type.Array(uuid(ids.tenant), { description: 'The members who confirmed it.' }),
    ),
    deviceId: uuid(ids.phone),
    did: exampleText(did),
  },
  'Recovery',
);

export const ListRecoveriesQuery = strictObject({
  state: Type.Optional(Type.Enum([...RECOVERY_STATES])),
  userId: Type.Optional(uuid(ids.user)),
  ...paging,
});
export const RecoveryListReply = pageOf('recoveries', Recovery);
export const RecoveryReply = strictObject({ recovery: Recovery });

export const ContestBody = strictObject({ did: Did, ...singleUseProof }, 'RecoveryContestParams');
export const ContestReply = strictObject({
  recovery: strictObject(
    {
      id: uuid(ids.registration),
      state: Type.Enum(['pending_recovery', 'abandoned']),
      held: Type.Optional(flag(true, 'Only if the phone was revoked before.')),
    },
    'ContestedRecovery',
  ),
});
