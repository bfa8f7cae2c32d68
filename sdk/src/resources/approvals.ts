import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { sha256Hex } from '../codecs/web-crypto.js';
import type {
  Approval,
  ApprovalActionParams,
  ApprovalCreateParams,
  ApprovalListParams,
  ApprovalPage,
  CreatedApproval,
  Receipt,
  ReceiptGetParams,
} from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { longPoll, WAIT_SECONDS } from './long-poll.js';
import { listOf, type Pages } from './pages.js';

/** `svc.approvals`: what people approve on their phones. Needs `approvals:read`, `approvals:write` and `approvals:consume`. */
export class Approvals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Asks people to approve one action. Show them `link`, or its QR code. */
  async create(approval: ApprovalCreateParams, options?: RequestOptions): Promise<CreatedApproval> {
    return (await this.#transport.call('createApproval', { body: approval }, options)).approval;
  }

  /** @throws SvcError `approval_not_found` */
  async get(id: string, options?: RequestOptions): Promise<Approval> {
    return (await this.#transport.call('getApproval', { path: { id } }, options)).approval;
  }

  /** All approvals that match the filter, newest first. */
  list(filter: ApprovalListParams = {}, options?: RequestOptions): Pages<Approval, ApprovalPage> {
    return listOf(this.#transport, 'listApprovals', 'approvals', filter, options);
  }

  /** Ends an approval that still waits. @throws SvcError `approval_closed` */
  async cancel(id: string, options?: RequestOptions): Promise<Approval> {
    return (await this.#transport.call('cancelApproval', { path: { id } }, options)).approval;
  }

  /**
   * Uses an approval, once. `action` is what you are about to do, not what the approval says. `receipt` is null if it could not be read,
   * and has no tree yet: `receipt(id)` returns it with the tree.
   * @throws SvcError `approval_mismatch`, `approval_not_approved`, `approval_consumed`, `approver_revoked`
   */
  async consume(
    id: string,
    action: ApprovalActionParams,
    options?: RequestOptions,
  ): Promise<Reply<'consumeApproval'>> {
    const actionSha256 = await sha256Hex(canonicalJson(action));
    return this.#transport.call('consumeApproval', { path: { id }, body: { actionSha256 } }, options);
  }

  /**
   * What people decided, with everything that somebody needs to check it without the service: `verifyReceipt` of `@svc/sdk/receipts`.
   * `from` is the size of a tree that the checker kept.
   * @throws SvcError `approval_not_approved` while it waits, `user_erased` after an approver was erased
   */
  receipt(id: string, query: ReceiptGetParams = {}, options?: RequestOptions): Promise<Receipt> {
    return this.#transport.call('getApprovalReceipt', { path: { id }, query }, options);
  }

  /** Resolves when the approval no longer waits, also if it was declined or has expired. */
  async wait(id: string, options?: RequestOptions): Promise<Approval> {
    const query = { wait: WAIT_SECONDS };
    const ask = async (waiting: RequestOptions) =>
      (await this.#transport.call('getApproval', { path: { id }, query }, waiting)).approval;
    return longPoll(this.#transport, ask, ({ state }) => state !== 'pending', options);
  }

  /**
   * Asks, waits, and calls `run` once with the action, if enough people approved. `run` gets exactly what they approved: a copy that nobody
   * can change. `onCreated` shows the link. @throws SvcError `approval_not_approved` if it was declined or has expired
   */
  async requireApproval<T>(
    approval: ApprovalCreateParams,
    run: (action: ApprovalActionParams) => Promise<T>,
    { onCreated, ...options }: RequestOptions & { onCreated?(created: CreatedApproval): void } = {},
  ): Promise<T> {
    const action = deepFreeze(structuredClone(approval.action));
    const created = await this.create({ ...approval, action }, options);
    onCreated?.(created);
    const { state } = await this.wait(created.id, options);
    if (state !== 'approved')
      throw new SvcError('approval_not_approved', `The approval is ${state}. Do not act.`, {
        operation: 'requireApproval',
      });
    await this.consume(created.id, action, options);
    return run(action);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
