import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { commitment, did, hash, ids, times } from '../../model/example-fixtures.js';
import {
  exampleText,
  FreeForm,
  forConsole,
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
import { AttestedBy } from '../attestation/attestation.js';
import { Commitment, Did, singleUseProof } from '../proofs/proofs.js';

const UserId = uuid(ids.user);

export const RegisterBody = strictObject(
  {
    did: Did,
    commitment: Commitment,
    externalId: Type.Optional(withExample('employee-1815', Text(200))),
    attestation: Type.Optional(FreeForm),
  },
  'IdentityRegisterParams',
);
export const RegisterReply = overrideExample(
  strictObject({
    userId: UserId,
    did: exampleText(did),
    commitment: exampleText(commitment),
    createdAt: Timestamp,
    metadata: Type.Optional(
      Type.Object(
        {
          anchor_tx_hash: Type.Optional(
            Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${hash}`] }),
          ),
          anchor_status: Type.Optional(Type.Enum(['pending'])),
        },
        { additionalProperties: false, description: 'Where DIDs are anchored on chain: the transaction.' },
      ),
    ),
  }),
  { metadata: undefined },
);

export const VerifyBody = strictObject(
  { did: Did, ...singleUseProof, attestation: Type.Optional(AttestedBy) },
  'IdentityVerifyParams',
);

export const ConsoleIdentitiesQuery = forConsole(
  strictObject({
    deviceId: uuid(ids.device),
    ...paging,
  }),
);
export const ConsoleIdentityList = pageOf(
  'identities',
  strictObject(
    {
      id: uuid(ids.identity),
      did: exampleText(did),
      userId: UserId,
      userName: Nullable(exampleText('Ada Lovelace')),
      deviceId: Nullable(uuid(ids.device)),
      deviceName: Nullable(exampleText('Ada’s phone')),
      createdAt: Timestamp,
      revokedAt: Nullable(timestamp(times.done)),
    },
    'ConsoleIdentity',
  ),
);

export const RevokeBody = strictObject({ did: Did }, 'IdentityRevokeParams');
export const RevokeReply = strictObject({
  identity: strictObject({
    userId: UserId,
    did: exampleText(did),
    commitment: exampleText(commitment),
    createdAt: Timestamp,
    revokedAt: Nullable(timestamp(times.done)),
  }),
});
