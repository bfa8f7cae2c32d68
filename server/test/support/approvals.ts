import { approveBind, approveDeclineBind } from '@svc/zk/field';
import type { PhoneIdentity } from '@svc/zk/phone';
import { type Use, useOf } from './phone.js';
import { proofs } from './phones.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';
import { proveBind } from './several-phones.js';

export const ACTION = {
  title: 'Pay an invoice',
  fields: [
    { label: 'To', value: 'Müller & Söhne GmbH' },
    { label: 'Amount', value: '€1,200.50' },
  ],
};

export const approvalKey = (service: Service, account: Account): Promise<string> =>
  service.createKey(account, 'live', ['approvals:read', 'approvals:write', 'approvals:consume']);

export const create = (
  service: Service,
  as: string,
  approvers: readonly string[],
  more: object = {},
): Promise<Reply> =>
  service.call('POST', '/v1/approvals', { as, body: { approvers, action: ACTION, ...more } });

/** An approval that waits. */
export async function openApproval(
  service: Service,
  as: string,
  approvers: readonly string[],
  more: object = {},
) {
  const reply = await create(service, as, approvers, more);
  if (reply.status !== 201) throw new Error(`creating an approval returned ${reply.status} ${reply.text}`);
  return reply.body.approval as { readonly id: string; readonly digest: string; readonly matchCode?: string };
}

export interface Choice {
  readonly decision?: 'approve' | 'decline';
  readonly digest?: string;
  readonly decidedAt?: number;
  readonly matchCode?: string;
  readonly reason?: string;
  /** What the proof is bound to, if that is something else. */
  readonly bound?: object;
}

/**
 * The body of a decision, with a fresh proof. Built here, because a phone of the SDK decides only what its inbox shows, and tests also decide
 * for somebody else, about another digest, at another time, and what has ended.
 */
export async function proveDecision(
  service: Service,
  phone: PhoneIdentity,
  {
    tenantId,
    environment = 'live',
    approval,
  }: {
    readonly tenantId: string;
    readonly environment?: 'live' | 'test';
    readonly approval: { readonly id: string; readonly digest: string };
  },
  {
    decision = 'approve',
    digest = approval.digest,
    decidedAt = service.clock.now(),
    bound,
    ...more
  }: Choice = {},
) {
  const fields = {
    ...{ tenantId, environment, approvalId: approval.id, digest, decidedAtMs: decidedAt },
    ...more,
    ...bound,
  };
  const bind = decision === 'approve' ? approveBind(fields) : approveDeclineBind(fields);
  const proved = await proveBind(phone, bind);
  return { ...proved, decision, digest, decidedAt, ...more };
}

export const send = (service: Service, id: string, body: object, address = freshAddress()): Promise<Reply> =>
  service.call('POST', `/v1/phone/approvals/${id}/decide`, { body, address });

export async function decide(
  service: Service,
  phone: PhoneIdentity,
  scope: { readonly tenantId: string; readonly environment?: 'live' | 'test' },
  approval: { readonly id: string; readonly digest: string },
  choice: Choice = {},
): Promise<Reply> {
  return send(service, approval.id, await proveDecision(service, phone, { ...scope, approval }, choice));
}

/** The body of a request for what waits for the person of a phone. */
export const proveInbox = (service: Service, phone: PhoneIdentity, use: Use) =>
  proofs.proveInbox(phone, useOf(service, use));
