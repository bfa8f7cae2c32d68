import { fail } from '../../base/errors.js';
import type { Unchanged } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { PhoneCaller } from './callers.js';
import type { Claim, Verified } from './claim.js';
import { judge, requireSent } from './judge.js';
import * as store from './provers.store.js';
import { readUse, type Use } from './use.js';

/** A claim whose proofs are valid, fresh and bound to it, by an identity that may make it. */
export interface Proved {
  readonly claim: Claim;
  readonly tenant: Tenant;
  readonly prover: store.ProverRow;
  readonly search: store.ProverSearch;
  readonly unchanged: Unchanged;
  /** The assertion that came with it. */
  readonly verified: Verified | undefined;
  readonly use: Use;
  readonly at: Date;
}

export const auditFailure = (w: Write, reason: FailureReason, refused?: string): void =>
  w.audit({
    entityType: 'identity',
    entityId: null,
    status: 'failure',
    metadata: { reason, ...(refused !== undefined && { refused }) },
  });

/** Strangers without an API key can fail as often as they like, so their failures must cost the account nothing. */
export async function reject(
  { isKeyless, write }: PhoneCaller,
  { action, failure = 'verification_failed' }: Claim,
  reason: FailureReason,
  /** More about the reason. */
  refused?: string,
): Promise<never> {
  if (!isKeyless) await write(action, async (w) => auditFailure(w, reason, refused));
  return fail(failure, { because: refused ?? reason });
}

/**
 * Checks a claim without deciding it. All failures are the same 401 after the same work: the proofs are verified, whatever else is
 * wrong, and the identity is looked up once. 503 `identity_changed` if the identity is not what the audit chain says.
 */
export async function prove(caller: PhoneCaller, claim: Claim): Promise<Proved> {
  const { deps, read, tenant } = caller;
  const { input, joining, attested, admits } = claim;
  if (attested) requireSent(attested);
  const { proof, publicSignals } = input;
  const did = canonicalDid(input.did);
  const search = (commitment: string) => ({ did, commitment, nonce: input.nonce.toLowerCase() });
  const judged = await judge(
    caller,
    { proof, publicSignals, use: input, confirm: claim.confirms !== false, joining: joining?.sent },
    () => ({ ...claim, did }),
    (commitment) => store.findProver(read, search(commitment), new Date(deps.clock.now()), admits),
  );
  const { flaw, found: prover, verified, refused, isEnough, at } = judged;
  if (flaw !== undefined) return reject(caller, claim, flaw);
  if (prover === undefined || tenant === undefined || prover.reason !== null)
    return reject(caller, claim, prover?.reason ?? 'unknown_identity');
  const unchanged = await deps.requireUnchanged(read, prover);
  if (unchanged === undefined) return reject(caller, claim, 'wrong_secret');
  if (refused !== undefined) return reject(caller, claim, 'attestation', refused);
  if (!isEnough) return fail('device_attestation_insufficient');
  const use = readUse(deps, input, at.getTime());
  return { claim, tenant, prover, search: search(judged.commitment), unchanged, verified, use, at };
}

/** What the audit event of a claim says of the assertion that came with it. */
export const attestedBy = ({ verified }: Pick<Proved, 'verified'>) => (verified ? verifiedBy(verified) : {});

/** How a record says that a key was verified. */
export const verifiedBy = ({ level, evidenceHash }: Pick<Verified, 'level' | 'evidenceHash'>) => ({
  evidence: 'verified' as const,
  level,
  evidence_hash: evidenceHash,
});
