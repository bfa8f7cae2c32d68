import { hash } from 'node:crypto';
import {
  type BindScope,
  boundSignal,
  commitmentFromHex,
  commitmentToHex,
  didHash,
  joinBind,
} from '@svc/zk/field';
import type { Source } from '@svc/zk/verifier/pool';
import { type ErrorCode, fail, invalid } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { Tenant } from '../../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../../http/route.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { TenantWrite, Write } from '../../../ledger/write.js';
import type { AuditAction } from '../../../model/audit-actions.js';
import { canonicalDid } from '../../../model/did.js';
import type { FailureReason } from '../../../model/failure-reasons.js';
import { findAccount } from '../../accounts/accounts.js';
import {
  type Attestation,
  type AttestedProof,
  judgeAssertion,
  requiredLevel,
  useKey,
  type Verified,
  verifiedBy,
} from '../../attestation/attestation.js';
import {
  actAsPhone,
  consumeNonce,
  type ReservedProof,
  readUse,
  reserveProof,
  type SingleUseProof,
  type Use,
} from '../../proofs/proofs.js';
import { requireUnchanged, type Unchanged } from '../commitments/commitments.js';
import * as store from './provers.store.js';

/** The sender of a phone's proof: an app with an API key, or the phone itself. */
export interface PhoneCaller extends ScopedContext {
  readonly deps: Pick<
    Deps,
    | 'anchoring'
    | 'bus'
    | 'clock'
    | 'config'
    | 'ids'
    | 'log'
    | 'proofsFrom'
    | 'random'
    | 'keyring'
    | 'tokens'
    | 'verifier'
  >;
  /** Undefined if a phone named an account that is unknown or not active. All its proofs are rejected. */
  readonly tenant: Tenant | undefined;
  /** The caller that the verifier counts the proofs for. */
  readonly source: Source;
  readonly isKeyless: boolean;
}

export const appWithKey = (
  context: ScopedContext & Pick<BaseContext, 'deps'> & { readonly principal: { readonly tenant: Tenant } },
): PhoneCaller => {
  const { tenant } = context.principal;
  return { ...context, tenant, source: { name: tenant.id }, isKeyless: false };
};

/** A phone without an API key names its account. */
export async function phoneOf(
  context: Pick<BaseContext, 'deps' | 'address'>,
  { tenantId: givenId, environment }: Scope,
): Promise<PhoneCaller> {
  const tenantId = givenId.toLowerCase();
  const tenant = await findAccount(context.deps, tenantId);
  const phone = actAsPhone(context, { tenantId, environment }, () =>
    fail('verification_failed', { because: 'account' }),
  );
  return {
    ...phone,
    tenant: tenant?.status === 'active' ? tenant : undefined,
    isKeyless: true,
  };
}

type SentProof = Pick<SingleUseProof, 'proof' | 'publicSignals'>;

/** What a phone asks for, and the proofs of it. */
export interface Claim {
  /** Also of the audit event of a failure. Only callers with an API key leave one. */
  readonly action: AuditAction;
  readonly input: SingleUseProof & { readonly did: string };
  /** What the proof of the phone's secret must be bound to. */
  readonly bindOf: (use: BindScope & Pick<Use, 'nonce' | 'timestampMs'>) => bigint;
  /** A second proof, of a new secret for `did`, bound to the same nonce. DID and commitment are in stored form. */
  readonly joining?: { readonly did: string; readonly commitment: string; readonly sent: SentProof };
  /** What does not make an identity unusable for this claim. */
  readonly admits?: readonly FailureReason[];
  /** False if what it decides is single-use by itself. Default: true, which spends the nonce. */
  readonly spends?: false;
  /**
   * False if it changes no identity. Default: true, and mcl verifies the proof again after its verdict. A proof of another claim is one of
   * 64 that mcl verifies, as in a verification.
   */
  readonly confirms?: false;
  /** The error of every failure. Default: `verification_failed`. */
  readonly failure?: ErrorCode;
  /** The assertion that came with the proof, if one did. Absent: it is not judged, and no policy asks for one. */
  readonly attested?: {
    readonly purpose: AttestedProof['purpose'];
    readonly sent: Attestation | undefined;
    /** Default: the nonce. */
    readonly subject?: string;
    /** False: also without `require_verified_attestation`, which asks for one. Default: true. */
    readonly isRequired?: boolean;
  };
}

/** A claim whose proofs are valid, fresh and bound to it, by an identity that may make it. */
export interface Proved {
  readonly claim: Claim;
  readonly tenant: Tenant;
  readonly prover: store.ProverRow;
  readonly unchanged: Unchanged;
  /** The assertion that came with it. */
  readonly verified: Verified | undefined;
  readonly search: store.ProverSearch;
  readonly use: Use;
  readonly at: Date;
}

/** Parses a new commitment into its stored form. */
export function readCommitment(text: string): string {
  const commitment = commitmentFromHex(text);
  return commitment === null
    ? invalid('body.newCommitment', 'must be below the BN254 scalar field')
    : commitmentToHex(commitment);
}

/** Reserves a slot for each proof, before anything is looked up. */
function reserveAll(
  { deps, tenant, source }: PhoneCaller,
  { input, joining, confirms }: Claim,
): ReservedProof[] {
  const place = { ...source, ...(tenant && { tenant }) };
  const first = reserveProof(deps, { ...place, confirm: confirms !== false }, input);
  if (joining === undefined) return [first];
  try {
    const names = { proof: 'newProof', publicSignals: 'newPublicSignals' };
    return [first, reserveProof(deps, place, joining.sent, names)];
  } catch (error) {
    first.release();
    throw error;
  }
}

/** Why the identity can't make the claim; undefined if it can. */
function reasonOf(
  prover: store.ProverRow | undefined,
  admits: readonly FailureReason[] = [],
): FailureReason | undefined {
  if (prover === undefined) return 'unknown_identity';
  const reasons = ['revoked', 'not_in_force', 'inactive_user', 'wrong_secret', 'nonce_used'] as const;
  return reasons.find((reason) => prover[reason] && !admits.includes(reason));
}

const auditFailure = (w: Write, reason: FailureReason, refused?: string): void =>
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

/** The lowest level that the policy accepts for this claim. @throws Failure `device_attestation_required` if no assertion came */
function requireSent({ tenant }: PhoneCaller, { attested }: Claim): number {
  if (tenant === undefined || attested === undefined || attested.isRequired === false) return 0;
  const level = requiredLevel(tenant.securityPolicy);
  return level > 0 && attested.sent === undefined ? fail('device_attestation_required') : level;
}

/** Judges the assertion that came with the proof. */
function judge({ deps, read }: PhoneCaller, { attested, input }: Claim, { did, nonce }: store.ProverSearch) {
  if (attested === undefined) return undefined;
  const { purpose, sent, subject = nonce } = attested;
  const { proof, publicSignals } = input;
  return judgeAssertion(deps, read, sent, { purpose, subject, did, proof, publicSignals });
}

/**
 * Checks a claim without deciding it. All failures are the same 401 after the same work: the proofs are verified, whatever else is
 * wrong, and the identity is looked up once. 503 `identity_changed` if the identity is not what the audit chain says.
 */
export async function proveClaim(caller: PhoneCaller, claim: Claim): Promise<Proved> {
  const { deps, scope, read, tenant } = caller;
  const { input, joining } = claim;
  const did = canonicalDid(input.did);
  const level = requireSent(caller, claim);
  const proofs = reserveAll(caller, claim);
  const [own, joined] = proofs as [ReservedProof, ReservedProof | undefined];
  const commitment = commitmentToHex(own.signals[0]);
  const search = { did, commitment, nonce: input.nonce.toLowerCase() };
  const [prover, judged, ...verdicts] = await Promise.all([
    store.findProver(read, search, new Date(deps.clock.now())),
    judge(caller, claim, search),
    // The other proof first, so that it doesn't wait for the confirmation.
    ...proofs.toReversed().map((proof) => proof.verify()),
  ]);
  const now = deps.clock.now();
  const at = new Date(now);
  const use = readUse(deps, input, now);
  const bound = { ...scope, nonce: use.nonce, timestampMs: use.timestampMs };
  const isBound = own.signals[1] === boundSignal(didHash(did), claim.bindOf(bound));
  const joins =
    joining === undefined ||
    joined === undefined ||
    (commitmentToHex(joined.signals[0]) === joining.commitment &&
      joined.signals[1] ===
        boundSignal(didHash(joining.did), joinBind({ ...bound, did, newCommitment: joining.commitment })));
  if (!verdicts.every(Boolean)) return reject(caller, claim, 'invalid_proof');
  if (!use.isFresh) return reject(caller, claim, 'stale');
  if (!isBound || !joins) return reject(caller, claim, 'wrong_binding');
  const reason = reasonOf(prover, claim.admits);
  if (prover === undefined || tenant === undefined || reason !== undefined)
    return reject(caller, claim, reason ?? 'unknown_identity');
  const unchanged = await requireUnchanged(deps, read, prover);
  if (unchanged === undefined) return reject(caller, claim, 'wrong_secret');
  if (judged !== undefined && 'refused' in judged)
    return reject(caller, claim, 'attestation', judged.refused);
  if (judged !== undefined && judged.level < level) return fail('device_attestation_insufficient');
  return { claim, tenant, prover, unchanged, verified: judged, search, use, at };
}

/**
 * Spends the nonce and does what the claim asks for, in one transaction. Everything that may have changed since `proveClaim` is
 * checked again under the identity's lock. A failure of `work` leaves the nonce unspent.
 */
export function decideClaim<T>(
  caller: PhoneCaller,
  proved: Proved,
  work: (w: Write, prover: store.ProverRow) => Promise<T>,
): Promise<T>;
/** As above, for work that locks the tenant's row. */
export function decideClaim<T>(
  caller: PhoneCaller,
  proved: Proved,
  work: (w: TenantWrite, prover: store.ProverRow) => Promise<T>,
  locks: 'tenant',
): Promise<T>;
export async function decideClaim<T>(
  { write, isKeyless }: PhoneCaller,
  { claim, search, unchanged, verified, use, at }: Proved,
  work: (w: TenantWrite, prover: store.ProverRow) => Promise<T>,
  locks?: 'tenant',
): Promise<T> {
  const { failure = 'verification_failed' } = claim;
  const spend = async (w: Write, prover: store.ProverRow | undefined): Promise<FailureReason | undefined> => {
    if (prover && verified && !(await useKey(w, verified, prover.id, at))) return 'attestation';
    return claim.spends === false || (await consumeNonce(w, use)) ? undefined : 'nonce_used';
  };
  const decide = async (w: TenantWrite) => {
    const prover = await store.lockProver(w, search, at);
    const reason = reasonOf(prover, claim.admits) ?? (await spend(w, prover));
    if (prover !== undefined && reason === undefined) {
      await unchanged.ensureLeaf(w, at);
      return { result: await work(w, prover) };
    }
    if (isKeyless) fail(failure, { because: reason ?? 'unknown_identity' });
    auditFailure(w, reason ?? 'unknown_identity');
    return { reason };
  };
  const decided = await write(claim.action, decide, locks as 'tenant');
  if (!('result' in decided)) return fail(failure, { because: decided.reason ?? 'unknown' });
  return decided.result as T;
}

/** What the audit event of a claim says of the assertion that came with it. */
export const attestedBy = ({ verified }: Pick<Proved, 'verified'>) => (verified ? verifiedBy(verified) : {});

/** The proof as sent in canonical JSON (RFC 8785): the keys in order. Its strings are decimal numbers and fixed names. */
function canonicalProof({ proof: { curve, pi_a, pi_b, pi_c, protocol }, publicSignals }: SentProof): string {
  return JSON.stringify({ proof: { curve, pi_a, pi_b, pi_c, protocol }, publicSignals });
}

/** What authorized a new commitment: the proof as sent, for `identity_commitments`, and its hash, for the audit event. */
export function authorizationOf({ input }: Claim, { did }: store.ProverSearch) {
  const { nonce, timestamp, proof, publicSignals } = input;
  return {
    authorization: { did, nonce, timestamp: new Date(timestamp).getTime(), proof, publicSignals },
    authorizedBy: hash('sha256', canonicalProof(input), 'hex'),
  };
}
