import { SEALED_KINDS } from '@svc/zk/records/kinds';
import Type, { type Static } from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { AUDIT_ACTIONS } from '../../model/audit-actions.js';
import { earlierHash, hash, ids } from '../../model/example-fixtures.js';
import { countedPageOf, createdIn } from '../../records/list.js';
import { sorting } from '../../records/order.js';
import {
  ContractAddress,
  count,
  Environment,
  exampleText,
  flag,
  forConsole,
  NextCursor,
  Nullable,
  paging,
  strictObject,
  Timestamp,
  uuid,
} from '../../records/schema.js';

const hex64 = (example: string) => Type.String({ pattern: '^[0-9a-f]{64}$', examples: [example] });
const Hash = hex64(hash);
const Status = Type.Enum(['success', 'failure']);
const SIGNING_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const SIGNATURE =
  '3f44425b6f776444cd6cdc155a90596d6aefe64f5f0f105304fffe47b1a0f5376c1dfe409af9fe0a531c50de8fb522b8ae2c893a2b17e78f4bfcf008e7cbb33f';

export const AuditEvent = strictObject(
  {
    id: uuid(ids.auditEvent),
    seq: Type.Integer({ minimum: 1, examples: [42] }),
    environment: Environment,
    actorType: exampleText('api_key'),
    actorId: Nullable(exampleText(ids.apiKey)),
    action: exampleText('device.created'),
    entityType: exampleText('device'),
    entityId: Nullable(exampleText(ids.device)),
    status: Status,
    summary: exampleText(AUDIT_ACTIONS['device.created']),
    createdAt: Timestamp,
    metadata: Type.Unsafe<Record<string, string | number | boolean | null>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      examples: [{}],
    }),
    prevHash: hex64(earlierHash),
    hash: Hash,
  },
  'AuditEvent',
);

/** The last link of the audit chain, signed (Ed25519) with a key that the database never sees. */
export const SignedHead = strictObject(
  {
    tenantId: uuid(ids.tenant),
    seq: count(42),
    hash: Hash,
    at: Timestamp,
    keyId: exampleText('5f1c0a9e'),
    publicKey: Nullable(hex64(SIGNING_KEY)),
    signature: exampleText(SIGNATURE, 'Ed25519, in hex.'),
  },
  'SignedHead',
);

/** A head with its environment, as the last line of an export has them. */
export const ExportedHead = strictObject({ environment: Environment, head: SignedHead });
export type ExportedHead = Static<typeof ExportedHead>;

export const ListAuditQuery = strictObject({
  action: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[a-z_]+(\\.[a-z_]+)+$',
      description: 'an action such as device.created',
      examples: ['device.created'],
    }),
  ),
  status: Type.Optional(Status),
  ...paging,
});
/** In a page of a filtered list that is not full, although there may be more. */
const Partial = Type.Optional(
  Type.Literal(true, {
    examples: [true],
    description:
      'Present if the search stopped after 10,000 entries, before the page was full. `nextCursor` goes on from there, also if the page is empty.',
  }),
);
export const AuditListReply = strictObject(
  {
    audit: Type.Array(AuditEvent),
    environment: Environment,
    nextCursor: NextCursor,
    partial: Partial,
    head: SignedHead,
  },
  'AuditEventPage',
);

export const ConsoleAuditQuery = forConsole(
  strictObject({
    seq: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] })),
    entityId: Type.Optional(
      Type.String({
        maxLength: 150,
        pattern: '^[^,]+(,[^,]+){0,3}$',
        description: 'up to four ids of records, separated by commas',
        examples: [ids.device],
      }),
    ),
    actorId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 150,
        description: 'who did it: the id of a member, a key or a device',
        examples: [ids.tenant],
      }),
    ),
    ...ListAuditQuery.properties,
    ...createdIn,
    ...sorting,
  }),
);
export const ConsoleAuditEvent = strictObject(
  {
    ...AuditEvent.properties,
    /** Of the key, member or device. */
    actorName: Nullable(exampleText('Reception')),
    entityName: Nullable(exampleText('Main gate')),
    /** The person that the record belongs to, or that the metadata names. */
    personId: Nullable(uuid(ids.user)),
    personName: Nullable(exampleText('Ada Lovelace')),
    userName: Nullable(exampleText('Ada Lovelace')),
    deviceName: Nullable(exampleText('Main gate')),
  },
  'ConsoleAuditEvent',
);
export const ConsoleAuditList = strictObject(
  { ...countedPageOf('audit', ConsoleAuditEvent, '').properties, partial: Partial, head: SignedHead },
  'ConsoleAuditEventPage',
);

export const IntegrityQuery = strictObject({
  tenantId: Type.Optional(uuid(ids.tenant)),
  tenant_id: Type.Optional(uuid(ids.tenant)),
  environment: Type.Optional(Environment),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1000] })),
});
const Verdict = Type.Enum(['pass', 'fail']);
const ChainVerdict = strictObject({
  tenantId: uuid(ids.tenant),
  environment: Environment,
  length: count(42),
  headHash: Nullable(Hash),
  fromSeq: count(1),
  status: Verdict,
  brokenRowId: Type.Optional(uuid(ids.auditEvent)),
  reason: Type.Optional(exampleText('link_broken')),
  identityId: Type.Optional(uuid(ids.identity)),
  recordKind: Type.Optional(Type.Enum([...SEALED_KINDS])),
  recordId: Type.Optional(uuid(ids.verification)),
});
export const IntegrityReply = overrideExample(
  strictObject({
    status: Verdict,
    checked: count(42),
    partial: flag(false),
    chains: Type.Array(
      overrideExample(ChainVerdict, {
        ...{ brokenRowId: undefined, reason: undefined, identityId: undefined },
        ...{ recordKind: undefined, recordId: undefined },
      }),
    ),
    brokenRowId: Type.Optional(uuid(ids.auditEvent)),
    anchors: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(['pass', 'fail', 'unavailable']),
          reason: Type.Optional(
            Type.Enum(['chain_ahead', 'root_differs', 'leaves_altered', 'identity_altered']),
          ),
          batchId: Type.Optional(count(7)),
          contract: Type.Optional(ContractAddress),
          identityId: Type.Optional(uuid(ids.identity)),
          batches: count(12),
          erased: count(0),
        },
        {
          additionalProperties: false,
          description:
            'If a blockchain is configured: what the database says is anchored, compared with the blockchain.',
        },
      ),
    ),
  }),
  { brokenRowId: undefined, anchors: undefined },
);
