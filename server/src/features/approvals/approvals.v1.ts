import { key, route } from '../../http/route.js';
import { approvalList, cancelApproval, createApproval, showOne } from './approvals.js';
import * as schema from './approvals.schema.js';
import { consumeApproval } from './consume.js';
import { withNames } from './names.js';
import { readReceipt } from './receipt.js';
import { ConsumedReply, ReceiptQuery, ReceiptReply } from './receipt.schema.js';
import { readApproval, streamApproval } from './watching.js';

const params = { id: 'approval_not_found' } as const;

export const approvalsV1 = [
  route({
    operationId: 'createApproval',
    method: 'POST',
    path: '/v1/approvals',
    summary: 'Ask people to approve one action on their phones',
    description:
      'The phone shows the whole `action`, and its proof is bound to it. `link` opens it on the phone page. Texts must be in Unicode Normalization Form C, without control, bidirectional, invisible or unassigned characters.',
    auth: key('approvals:write', { console: { role: 'developer' } }),
    acts: ['ask_approval'],
    schemas: { body: schema.CreateBody },
    replies: { 201: schema.CreatedReply },
    errors: ['user_not_found', 'user_erased', 'approver_without_identity', 'approval_limit_reached'],
    noStore: true,
    handler: (context) => createApproval(context, context.body),
    replay: (context, id) => showOne(context, id),
  }),
  route({
    operationId: 'listApprovals',
    method: 'GET',
    path: '/v1/approvals',
    summary: 'List approvals, newest first',
    auth: key('approvals:read', { console: { role: 'auditor' } }),
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.ListReply },
    compress: true,
    handler: async (context) => {
      const { approvals, ...page } = await approvalList(context);
      return { approvals: await withNames(context.read, context.query, approvals), ...page };
    },
  }),
  route({
    operationId: 'getApproval',
    method: 'GET',
    path: '/v1/approvals/:id',
    summary: 'Get an approval, or wait until it changes',
    auth: key('approvals:read', { console: { role: 'auditor' } }),
    schemas: { params, query: schema.ReadQuery },
    replies: { 200: schema.NamedApprovalReply },
    handler: async (context) => {
      const { approval } = await readApproval(context, context.params.id);
      const [named = approval] = await withNames(context.read, context.query, [approval]);
      return { approval: named };
    },
  }),
  route({
    operationId: 'streamApproval',
    method: 'GET',
    path: '/v1/approvals/:id/stream',
    summary: 'Stream an approval and its changes',
    description:
      'An event `approval` has the approval as `GET /v1/approvals/:id` returns it: first as it is, then after each change. The stream ends when nothing can change it any more.',
    auth: key('approvals:read', { console: { role: 'auditor' } }),
    schemas: { params },
    replies: { 200: 'text/event-stream' },
    examples: { 200: schema.streamExample },
    errors: ['rate_limit_exceeded'],
    handler: (context) => streamApproval(context, context.params.id),
  }),
  route({
    operationId: 'getApprovalReceipt',
    method: 'GET',
    path: '/v1/approvals/:id/receipt',
    summary: 'Get the receipt of an approval, which anybody can check offline',
    description:
      'What people decided, with their proofs and the rows of the audit chain. The service waits up to two seconds for the tree over these rows. If it is not signed by then, `tree` and `inclusion` are null: fetch the receipt again later. `from` adds the proof that this tree begins with the one that a checker kept.',
    auth: key('approvals:read', { console: { role: 'auditor' } }),
    schemas: { params, query: ReceiptQuery },
    replies: { 200: ReceiptReply },
    errors: ['approval_not_approved', 'user_erased', 'identity_changed'],
    statuses: { user_erased: 410 },
    secret: true,
    handler: ({ deps, read, params: { id }, query: { from } }) =>
      readReceipt(deps, read, id, { withTree: true, from }),
  }),
  route({
    operationId: 'cancelApproval',
    method: 'POST',
    path: '/v1/approvals/:id/cancel',
    summary: 'Cancel an approval that waits',
    auth: key('approvals:write', { console: { role: 'developer' } }),
    acts: ['cancel_approval'],
    schemas: { params },
    replies: { 200: schema.ApprovalReply },
    errors: ['approval_closed'],
    handler: (context) => cancelApproval(context, context.params.id),
  }),
  route({
    operationId: 'consumeApproval',
    method: 'POST',
    path: '/v1/approvals/:id/consume',
    summary: 'Use an approval, once, for what you are about to do',
    description:
      '`actionSha256` is the hex SHA-256 of the canonical JSON (RFC 8785) of the action, computed from what you are about to do. The tree of `receipt` is null: fetch the receipt again for its proofs.',
    auth: key('approvals:consume', { console: { role: 'developer' } }),
    acts: ['consume_approval'],
    schemas: { params, body: schema.ConsumeBody },
    replies: { 200: ConsumedReply },
    errors: [
      'approval_mismatch',
      'approval_not_approved',
      'approval_consumed',
      'approver_revoked',
      'user_erased',
      'identity_changed',
    ],
    secret: true,
    handler: (context) => consumeApproval(context, context.params.id, context.body.actionSha256),
  }),
];
