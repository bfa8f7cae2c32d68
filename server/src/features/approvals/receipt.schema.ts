import Type, { type Static } from 'typebox';
import { commitment, did, didHash, hash, ids, secrets, times } from '../../model/example-fixtures.js';
import {
  count,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { AuditEvent, ExportedHead } from '../audit/audit.js';
import { setupFields } from '../circuit/circuit.js';
import { Proof, PublicSignals } from '../proofs/proofs.js';
import { Approval, Statement } from './approvals.schema.js';
import { REASONS } from './states.js';

const Hex = (example: string, description?: string) =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: [example],
    ...(description && { description }),
  });

/** Responses may get fields that requests do not accept, so it is another schema than that of requests. */
const SentProof = Type.Unsafe<Static<typeof Proof>>({ ...Proof, title: 'ReceiptProof' });

const Authorization = strictObject(
  {
    did: exampleText(did, 'The identity that authorized it.'),
    nonce: uuid(ids.proofNonce),
    timestamp: Type.Integer({ description: 'Unix milliseconds', examples: [Date.parse(times.begun)] }),
    proof: SentProof,
    publicSignals: PublicSignals,
  },
  'ReceiptAuthorization',
);

const EnrolmentLeaf = strictObject(
  {
    identityId: uuid(ids.identity),
    userId: uuid(ids.user),
    didHash: Hex(didHash, '`00` and the first 31 bytes of the DID’s SHA-256'),
    commitment: Hex(commitment),
    salt: Hex(secrets.enrolmentSalt, '32 random bytes'),
  },
  'ReceiptLeaf',
);

const Enrolment = strictObject(
  {
    leaf: EnrolmentLeaf,
    seq: Type.Integer({
      minimum: 1,
      description: 'The position of the row in `chain` that names the leaf’s hash as `identity_leaf`.',
      examples: [42],
    }),
    authorization: Type.Optional(Authorization),
  },
  'ReceiptEnrolment',
);

const Decision = strictObject(
  {
    did: exampleText(did),
    decision: Type.Enum(['approve', 'decline']),
    decidedAt: Timestamp,
    reason: Type.Optional(Type.Enum([...REASONS])),
    matchCode: Type.Optional(exampleText('07')),
    circuit: Type.Enum(['identity_proof']),
    proof: SentProof,
    publicSignals: PublicSignals,
    enrolment: Type.Array(Enrolment, {
      description:
        'First the commitment that decided, then the one whose proof put it in force, and so on, back to one that no other authorized.',
    }),
  },
  'ReceiptDecision',
);

const TreeHead = strictObject(
  {
    size: count(42),
    root: Hex(hash),
    hash: Hex(hash, 'The hash of the row whose `seq` is `size`.'),
    at: timestamp(times.done),
    signature: exampleText('ed'.repeat(64), 'Ed25519, in hex.'),
    keyId: exampleText('5f1c0a9e'),
  },
  'ReceiptTree',
);

/** Null if the tree does not have all of the rows yet. */
const Tree = Nullable(TreeHead);

const ChainRow = strictObject(
  {
    row: AuditEvent,
    inclusion: withExample(
      [hash],
      Nullable(Type.Array(Hex(hash), { description: 'The hashes from the row to the root of `tree`.' })),
    ),
  },
  'ReceiptRow',
);

const Size = Type.Integer({
  minimum: 1,
  description: 'The size of a tree that the checker kept. The receipt then has `consistency`.',
  examples: [7],
});
export const ReceiptQuery = strictObject({ from: Type.Optional(Size) });

const Receipt = strictObject(
  {
    v: Type.Enum(['svc-receipt-1']),
    setup: strictObject({ ...setupFields, vkeySha256: Hex(hash) }, 'ReceiptSetup'),
    statement: Statement,
    outcome: withExample('approved', Type.Enum(['approved', 'declined', 'expired', 'cancelled', 'consumed'])),
    decisions: Type.Array(Decision),
    chain: Type.Array(ChainRow),
    tree: Tree,
    consistency: Type.Optional(
      strictObject({ from: Size, proof: withExample([hash], Type.Array(Hex(hash))) }, 'ReceiptConsistency'),
    ),
    head: ExportedHead.properties.head,
  },
  'Receipt',
);
export const ReceiptReply = Receipt;
/** Null if it could not be read. The approval is used all the same. */
export const ConsumedReply = strictObject({ approval: Approval, receipt: Nullable(Receipt) });
