import Type from 'typebox';
import { DID_PATTERN } from '../../model/did.js';
import { commitment, did, didHash, earlierHash, hash, ids, secrets } from '../../model/example-fixtures.js';
import {
  ContractAddress,
  Environment,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const word = (example: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${example}`] });

export const AnchorQuery = strictObject({
  id: Type.Optional({ ...uuid(ids.anchor), description: 'an id of GET /v1/anchors' }),
  did: Type.Optional(
    Type.String({
      pattern: DID_PATTERN,
      description: 'did:svc: and 1 to 128 hex digits: the identity whose leaf is returned',
      examples: [did],
    }),
  ),
  seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'an integer from 1: the audit event that the head must cover',
      examples: [42],
    }),
  ),
});

export const AnchorReply = strictObject({
  anchor: strictObject(
    {
      kind: withExample('identity', Type.Enum(['identity', 'audit_head'])),
      status: withExample('confirmed', Type.Enum(['sent', 'included', 'confirmed'])),
      batchId: Type.Integer({ minimum: 1, examples: [7] }),
      leaf: strictObject(
        {
          kind: Type.Integer({ minimum: 1, maximum: 2, examples: [1] }),
          tag: word(earlierHash),
          first: word(didHash),
          second: word(commitment),
        },
        'AnchorLeaf',
      ),
      salt: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [secrets.anchorSalt] }),
      proof: Type.Array(word(earlierHash), { maxItems: 32, examples: [[`0x${earlierHash}`]] }),
      root: word(hash),
      chainId: Type.Integer({ minimum: 1, examples: [1] }),
      contract: ContractAddress,
      txHash: Nullable(word(hash)),
      createdAt: Timestamp,
    },
    'Anchor',
  ),
  environment: Environment,
});
