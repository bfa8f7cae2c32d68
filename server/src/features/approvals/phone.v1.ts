import { open, route } from '../../http/route.js';
import * as schema from './approvals.schema.js';
import { decideApproval } from './decide.js';
import { openInbox, readInbox } from './inbox.js';

const params = { id: 'approval_not_found' } as const;

/** What a phone does without an API key. */
export const approvalsPhone = [
  route({
    operationId: 'listPhoneApprovals',
    method: 'POST',
    path: '/v1/phone/approvals/list',
    summary: 'List the approvals that wait for the phone’s person',
    description:
      'The proof is the credential. The nonce is not spent. `inboxToken` reads the list again for ten minutes.',
    auth: open,
    limit: { name: 'phone-approvals-list', max: 600, windowSeconds: 60 },
    schemas: { body: schema.InboxBody },
    replies: { 200: schema.InboxReply },
    errors: ['verification_failed', 'identity_changed'],
    secret: true,
    handler: (context) => openInbox(context, context.body),
  }),
  route({
    operationId: 'getPhoneApprovals',
    method: 'GET',
    path: '/v1/phone/approvals',
    summary: 'List them again with the token of the inbox',
    auth: open,
    headers: { 'X-Inbox-Token': 'The `inboxToken` of `POST /v1/phone/approvals/list`. Required.' },
    limit: { name: 'phone-approvals-read', max: 600, windowSeconds: 60 },
    replies: { 200: schema.InboxReadReply },
    errors: ['verification_failed'],
    noStore: true,
    handler: (context) => readInbox(context),
  }),
  route({
    operationId: 'decideApproval',
    method: 'POST',
    path: '/v1/phone/approvals/:id/decide',
    summary: 'Approve or decline, as a phone of an approver',
    description:
      'The proof is bound to the digest of the statement that the phone showed. Each person decides once, whichever of their phones proves it.',
    auth: open,
    limit: { name: 'phone-approvals-decide', max: 600, windowSeconds: 60, each: { param: 'id', max: 60 } },
    schemas: { params, body: schema.DecideBody },
    replies: { 200: schema.DecideReply },
    errors: [
      'verification_failed',
      'device_attestation_required',
      'device_attestation_insufficient',
      'approval_closed',
      'pairing_match_required',
      'pairing_match_failed',
      'identity_changed',
    ],
    handler: (context) => decideApproval(context, context.params.id, context.body),
  }),
];
