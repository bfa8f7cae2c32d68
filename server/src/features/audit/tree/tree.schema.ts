import Type from 'typebox';
import { earlierHash, hash, ids } from '../../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
} from '../../../records/schema.js';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', examples: [hash] });
/** The hashes of a proof, in the order of RFC 9162. */
export const TreeProof = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$', examples: [earlierHash] }));
const Position = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [1] });

/** A tree over the first rows of an audit chain, signed with the key of the chain's head. */
export const SignedTree = strictObject(
  {
    size: count(42),
    root: Hash,
    hash: Hash,
    at: Timestamp,
    signature: exampleText(
      '9d1b1f1c7a5e4c0f8a2b6d3e9c4f7a1b5e8d2c6f0a3b7e1d4c8f2a6b9e3d7c1f5a8b2e6d0c4f7a1b5e9d3c6f0a4b8e2d7c1f5a9b3e6d0c4f8a2b6e1d5c9f3a07',
      'Ed25519, in hex.',
    ),
    keyId: exampleText('5f1c0a9e'),
  },
  'SignedTree',
);

/** The key that verifies the signature of a tree. */
export const TreeKey = Nullable(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The key that verifies the signature of the tree, if the server still has it.',
    examples: ['d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'],
  }),
);

const keys = {
  publicKey: TreeKey,
  checkpointKey: Nullable(
    exampleText(
      'svc.example.com/6f1ce87a6d9b4d2f8f1a3c5e7b9d0f2a+b8d1c6f0+AdCrmAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea',
      'The key that verifies checkpoints, as C2SP signed-note has it. Null unless the security policy allows checkpoints.',
    ),
  ),
};

export const ProofQuery = strictObject({
  seq: Type.Optional(Position('The number of the entry. Default: that of the newest entry, or `size`.')),
  size: Type.Optional(
    Position('The number of entries of the tree. Default: that of the newest signed tree.'),
  ),
});
export const ProofReply = strictObject(
  {
    tenantId: uuid(ids.tenant),
    environment: Environment,
    seq: count(1),
    size: count(42),
    leaf: Hash,
    inclusion: TreeProof,
    tree: SignedTree,
    ...keys,
  },
  'AuditProof',
);

export const ConsistencyQuery = strictObject({
  from: Position('The number of entries of the earlier tree.'),
  to: Type.Optional(
    Position('The number of entries of the later tree. Default: that of the newest signed tree.'),
  ),
});
export const ConsistencyReply = strictObject(
  {
    tenantId: uuid(ids.tenant),
    environment: Environment,
    from: count(1),
    to: count(42),
    consistency: TreeProof,
    tree: SignedTree,
    ...keys,
  },
  'AuditConsistency',
);

/** A note of the tree. Its signature is invented. */
export const CHECKPOINT_EXAMPLE = `svc.example.com/6f1ce87a6d9b4d2f8f1a3c5e7b9d0f2a
42
${Buffer.from(hash, 'hex').toString('base64')}

— svc.example.com/6f1ce87a6d9b4d2f8f1a3c5e7b9d0f2a ${Buffer.alloc(68, 'b8d1c6f0').toString('base64')}
`;
