import type { Source } from '@svc/zk/verifier/pool';
import { type ErrorCode, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { AuditAction } from '../../model/audit-actions.js';
import type { Statement } from './claim.js';
import { judge, requireSent } from './judge.js';
import { spendNonce } from './nonces.store.js';
import { verifiedBy } from './prove.js';
import { readUse, type SingleUseProof } from './use.js';
import { type Attempt, type Settled, settleVerification } from './verification.store.js';

/** The result of a verification for the audit entry about it. */
export const resultOf = (outcome: Settled | undefined) =>
  outcome?.won ? { result: 'pass' } : { result: 'fail', ...(outcome && { reason: outcome.reason }) };

export type ProofContext = Pick<ScopedContext, 'scope' | 'read' | 'write'> & {
  readonly deps: Pick<
    Deps,
    'anchoring' | 'clock' | 'ids' | 'log' | 'proofsFrom' | 'random' | 'tokens' | 'verifier'
  >;
};

/** A proof that is accepted once, and how that is recorded. */
export interface Verification extends Pick<Statement, 'did' | 'bindOf' | 'attested'>, Pick<Attempt, 'opens'> {
  readonly action: AuditAction;
  /** The error of every failure. */
  readonly failure: ErrorCode;
  /** The caller that the verifier counts it for. Default: the scope's tenant. */
  readonly source?: Source;
  /** The tenant whose policy decides whether the blockchain verifies the proof too. */
  readonly tenant?: Tenant;
  /** A proof that is bound to nothing but the DID can be accepted. */
  readonly allowsBare?: boolean;
}

/**
 * Accepts a proof once and opens what a success opens. Every failure returns the same error after the same work: one slot at the
 * verifier, reserved before any look-up, one verification of the proof, and one write. Returns the user, null for a proof of any secret.
 */
export async function verifyOnce(
  context: ProofContext,
  input: SingleUseProof,
  verification: Verification,
): Promise<string | null> {
  const { deps, scope, write } = context;
  const {
    action,
    failure,
    did,
    attested,
    opens,
    allowsBare,
    source = { name: scope.tenantId },
    tenant,
  } = verification;
  if (attested) requireSent(attested);
  const sent = { proof: input.proof, publicSignals: input.publicSignals, use: input };
  const judged = await judge({ ...context, source, tenant }, sent, () => ({
    ...verification,
    purpose: 'verify' as const,
    orBoundTo: null,
  }));
  const { commitment, isOther: isBare, verified, refused, at } = judged;
  const use = readUse(deps, input, at.getTime());
  const verificationId = deps.ids();
  const attempt = {
    verificationId,
    identity: did === null ? null : { did, commitment, bound: !isBare, attested: judged },
    rejected: judged.flaw ?? (isBare && !allowsBare ? ('unbound' as const) : null),
    ...(opens && { opens }),
    ...(verified && { metadata: { attestation: verifiedBy(verified) } }),
  };
  const settled = await write(action, async (w) => {
    let outcome: Settled | undefined;
    w.audit(() => ({
      entityType: 'verification',
      entityId: verificationId,
      status: outcome?.won ? 'success' : 'failure',
      metadata: {
        ...{ method: 'zkp', ...resultOf(outcome) },
        ...(refused !== undefined && { refused }),
        ...(outcome?.won && verified && verifiedBy(verified)),
      },
    }));
    outcome = await settleVerification(w, attempt, spendNonce(w, use, verificationId), at);
    return outcome;
  });
  if (!settled.won && settled.reason === 'attestation_level') fail('device_attestation_insufficient');
  if (!settled.won) fail(failure, { because: settled.reason });
  return settled.userId;
}
