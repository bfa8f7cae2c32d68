import Type from 'typebox';
import { closed, Environment, NextCursor, Nullable, paging, Timestamp, Uuid } from '../../kernel/schema.js';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Status = Type.Enum(['success', 'failure']);

export const AuditEvent = closed(
  {
    id: Uuid,
    seq: Type.Integer({ minimum: 1 }),
    environment: Environment,
    actorType: Type.String(),
    actorId: Nullable(Type.String()),
    action: Type.String(),
    entityType: Type.String(),
    entityId: Nullable(Type.String()),
    status: Status,
    summary: Type.String(),
    createdAt: Timestamp,
    metadata: Type.Unsafe<Record<string, string | number | boolean | null>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    }),
    prevHash: Hash,
    hash: Hash,
  },
  'AuditEvent',
);

/** The chain's last link, signed (Ed25519) with a key that the database never sees. */
const SignedHead = closed(
  {
    tenantId: Uuid,
    seq: Type.Integer({ minimum: 0 }),
    hash: Hash,
    at: Timestamp,
    keyId: Type.String(),
    publicKey: Nullable(Hash),
    signature: Type.String(),
  },
  'SignedHead',
);

export const ListAuditQuery = closed({
  action: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[a-z_]+(\\.[a-z_]+)+$',
      description: 'an action such as device.created',
    }),
  ),
  status: Type.Optional(Status),
  ...paging,
});
export const AuditListReply = closed({
  audit: Type.Array(AuditEvent),
  environment: Environment,
  nextCursor: NextCursor,
  head: SignedHead,
});

/** Live by default, as everywhere in the console. */
export const ExportQuery = closed({ environment: Type.Optional(Environment) });

export const IntegrityQuery = closed({
  tenantId: Type.Optional(Uuid),
  tenant_id: Type.Optional(Uuid),
  environment: Type.Optional(Environment),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});
const Verdict = Type.Enum(['pass', 'fail']);
export const IntegrityReply = closed({
  status: Verdict,
  checked: Type.Integer(),
  partial: Type.Boolean(),
  chains: Type.Array(
    closed({
      tenantId: Uuid,
      environment: Environment,
      length: Type.Integer(),
      headHash: Nullable(Hash),
      fromSeq: Type.Integer(),
      status: Verdict,
      brokenRowId: Type.Optional(Uuid),
      reason: Type.Optional(Type.String()),
    }),
  ),
  brokenRowId: Type.Optional(Uuid),
});
