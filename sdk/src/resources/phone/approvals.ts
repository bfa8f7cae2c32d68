import type { ApprovalDecideParams, ApprovalInboxParams, DecidedApproval } from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';

/** `svc.phone.approvals`: what waits for the phone's person. */
export class PhoneApprovals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What waits, by the proof of `prover.proveInbox`. `inboxToken` reads it again for ten minutes. */
  list(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp }: ApprovalInboxParams,
    options?: RequestOptions,
  ): Promise<Reply<'listPhoneApprovals'>> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    return this.#transport.call('listPhoneApprovals', { body }, options);
  }

  /** The same by the token. @throws SvcError `verification_failed` when it has expired */
  async get(inboxToken: string, options?: RequestOptions): Promise<Reply<'getPhoneApprovals'>['approvals']> {
    const header = { 'x-inbox-token': inboxToken };
    return (await this.#transport.call('getPhoneApprovals', {}, options, header)).approvals;
  }

  /** Approves or declines, by the proof of `prover.proveDecision`. @throws SvcError `approval_closed` */
  async decide(
    {
      approvalId,
      did,
      decision,
      digest,
      decidedAt,
      proof,
      publicSignals,
      matchCode,
      reason,
      attestation,
    }: ApprovalDecideParams & { readonly approvalId: string },
    options?: RequestOptions,
  ): Promise<DecidedApproval> {
    const own = { did, decision, digest, decidedAt, proof, publicSignals };
    const body = { ...own, matchCode, reason, attestation };
    return (await this.#transport.call('decideApproval', { path: { id: approvalId }, body }, options))
      .approval;
  }
}
