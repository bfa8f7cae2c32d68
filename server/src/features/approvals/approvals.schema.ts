import Type from 'typebox';
import { exampleOf } from '../../http/openapi/example.js';
import { hash, ids, secrets, times } from '../../model/example-fixtures.js';
import { createdIn, includesNames, optionalNames } from '../../records/list.js';
import {
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { AttestedBy } from '../attestation/attestation.js';
import { Did, singleUseProof } from '../proofs/proofs.js';
import { APPROVAL_STATES, REASONS } from './states.js';

const LINK = `https://id.example.com/phone/#approval=${ids.approval}`;
const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: '64 lower-case hex digits',
  examples: [hash],
});
const text = (max: number, example: string) =>
  Type.String({ minLength: 1, maxLength: max, examples: [example] });
const MatchCode = Type.String({ pattern: '^[0-9]{2}$', description: 'two digits', examples: ['07'] });
const Match = Type.Enum(['off', 'type']);

const actionFields = {
  title: text(80, 'Pay an invoice'),
  fields: Type.Array(strictObject({ label: text(40, 'Amount'), value: text(400, '€1,200.50') }), {
    maxItems: 12,
  }),
  note: Type.Optional(text(1_000, 'Second reminder.')),
  reference: Type.Optional(text(128, 'invoice-1815')),
  documents: Type.Optional(
    Type.Array(strictObject({ name: text(80, 'invoice.pdf'), sha256: Sha256 }), {
      maxItems: 4,
    }),
  ),
};
/** Responses may get more fields, requests may not. */
const Action = strictObject(actionFields, 'ApprovalAction');
const ActionParams = strictObject(actionFields, 'ApprovalActionParams');

const Decision = strictObject(
  {
    userId: uuid(ids.user),
    decision: Type.Enum(['approve', 'decline']),
    decidedAt: Timestamp,
    reason: Nullable(Type.Enum([...REASONS])),
  },
  'ApprovalDecision',
);

export const Approval = strictObject(
  {
    id: uuid(ids.approval),
    state: Type.Enum([...APPROVAL_STATES]),
    approvers: Type.Array(uuid(ids.user)),
    required: withExample(1, Type.Integer({ minimum: 1, maximum: 20 })),
    decisions: Type.Array(Decision),
    action: Nullable(Action),
    digest: Sha256,
    createdAt: Timestamp,
    expiresAt: timestamp(times.in5Minutes),
    link: exampleText(LINK, 'Opens the approval on the phone page. It contains none of the text.'),
    qrPayload: exampleText(LINK),
    url: exampleText(LINK),
  },
  'Approval',
);

const RequestedBy = strictObject(
  {
    kind: Type.Enum(['api_key', 'member', 'client']),
    id: exampleText(ids.apiKey),
    name: exampleText('Payments'),
  },
  'ApprovalRequester',
);
const ApproverName = strictObject(
  { userId: uuid(ids.user), userName: Nullable(exampleText('Ada Lovelace')) },
  'ApproverName',
);
/** `requestedBy` is null after an approver was erased. */
export const NamedApproval = strictObject(
  {
    ...Approval.properties,
    ...optionalNames({ requestedBy: Nullable(RequestedBy), approverNames: Type.Array(ApproverName) }),
  },
  'NamedApproval',
);

export const CreateBody = strictObject(
  {
    approvers: Type.Array(uuid(ids.user), { minItems: 1, maxItems: 20 }),
    required: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Default: all. How many of them have to approve.',
        examples: [1],
      }),
    ),
    action: ActionParams,
    expiresInSeconds: Type.Optional(
      Type.Integer({ minimum: 30, maximum: 604_800, description: 'Default: 300.', examples: [300] }),
    ),
    match: Type.Optional(withExample('off', Match)),
  },
  'ApprovalCreateParams',
);
export const CreatedReply = strictObject({
  approval: strictObject({ ...Approval.properties, matchCode: Type.Optional(MatchCode) }, 'CreatedApproval'),
});
export const ApprovalReply = strictObject({ approval: Approval });
export const streamExample = `id: 1\nevent: approval\ndata: ${JSON.stringify(exampleOf(ApprovalReply, 'stream'))}\n\n`;
export const NamedApprovalReply = strictObject({ approval: NamedApproval });

export const ReadQuery = strictObject({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 25,
      description: 'Seconds to wait until the approval changes.',
      examples: [25],
    }),
  ),
  ...includesNames,
});
export const ListQuery = strictObject({
  state: Type.Optional(Type.Enum([...APPROVAL_STATES])),
  userId: Type.Optional(uuid(ids.user)),
  reference: Type.Optional(text(128, 'invoice-1815')),
  ...createdIn,
  ...includesNames,
  ...paging,
});
export const ListReply = strictObject(pageOf('approvals', NamedApproval).properties, 'ApprovalPage');
export const ConsumeBody = strictObject({ actionSha256: Sha256 }, 'ApprovalConsumeParams');

const { proof, publicSignals, timestamp: DecidedAt } = singleUseProof;
export const DecideBody = strictObject(
  {
    did: Did,
    decision: Type.Enum(['approve', 'decline']),
    digest: Sha256,
    decidedAt: DecidedAt,
    ...{ proof, publicSignals },
    matchCode: Type.Optional(MatchCode),
    reason: Type.Optional(Type.Enum([...REASONS])),
    attestation: Type.Optional(AttestedBy),
  },
  'ApprovalDecideParams',
);
export const DecideReply = strictObject({
  approval: strictObject(
    { id: uuid(ids.approval), state: Type.Enum(['pending', 'approved', 'declined']) },
    'DecidedApproval',
  ),
});

export const InboxBody = strictObject(
  { tenantId: uuid(ids.tenant), environment: Type.Enum(['live', 'test']), did: Did, ...singleUseProof },
  'ApprovalInboxParams',
);
/** Everything that the phone shows, whose canonical JSON has the digest that the decision proves. */
export const Statement = strictObject(
  {
    v: Type.Enum(['svc-approval-1']),
    issuer: exampleText('https://id.example.com'),
    tenantId: uuid(ids.tenant),
    environment: Type.Enum(['live', 'test']),
    approvalId: uuid(ids.approval),
    nonce: Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['0123456789abcdef0123456789abcdef'] }),
    company: exampleText('Example AG'),
    requestedBy: RequestedBy,
    approvers: Type.Array(uuid(ids.user)),
    required: withExample(1, Type.Integer({ minimum: 1, maximum: 20 })),
    match: withExample('off', Match),
    action: Action,
    createdAt: Timestamp,
    expiresAt: timestamp(times.in5Minutes),
  },
  'ApprovalStatement',
);
const Waiting = strictObject({ statement: Statement }, 'WaitingApproval');
export const InboxReply = strictObject({
  approvals: Type.Array(Waiting),
  inboxToken: exampleText(secrets.inboxToken),
});
export const InboxReadReply = strictObject({ approvals: Type.Array(Waiting) });
