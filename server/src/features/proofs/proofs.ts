import { type Source, VerifierUnavailableError } from '@svc/zk/verifier/pool';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import type { Static } from 'typebox';
import { type ErrorCode, Failure, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { agreesOnChain, verifiesOnChain } from '../anchors/anchors.js';
import { type Refused, type Verified, verifiedBy } from '../attestation/attestation.js';
import { issueTokens, prepareSession, type SessionTokens, sessionLifetimes } from '../sessions/sessions.js';
import type { singleUseProof } from './proofs.schema.js';
import * as store from './proofs.store.js';

export { actAsPhone } from './keyless.js';
export { Proof, PublicSignals, singleUseProof } from './proofs.schema.js';
export { NONCE_EXPIRY } from './proofs.store.js';
export type Spend = store.Spend;
export type Settled<UserId = string | null> = store.Settled<UserId>;

/** How far a proof's time may be from the server's. Also of proofs that were made before a restore. */
export const SKEW_MS = 5 * 60_000;
/** A spent nonce is stored until its timestamp is certainly too old. */
const NONCE_TTL_MS = 10 * 60_000;

export type SingleUseProof = { [K in keyof typeof singleUseProof]: Static<(typeof singleUseProof)[K]> };
type SentProof = Pick<SingleUseProof, 'proof' | 'publicSignals'>;

/** The names of a proof's parts in its body, for error messages. */
interface PartNames {
  readonly proof?: string;
  readonly publicSignals?: string;
}

/** Parses the proof of a body; 400 with every issue. */
function parse(
  input: SentProof,
  { proof = 'proof', publicSignals = 'publicSignals' }: PartNames = {},
): ParsedProof {
  const result = parseProof(input.proof, input.publicSignals);
  if (result.ok) return result.parsed;
  const details = result.issues.map(({ path, message }) => ({
    path: `body.${path.replace(/^proof/, proof).replace(/^publicSignals/, publicSignals)}`,
    message,
  }));
  throw new Failure('invalid_request', { details });
}

/** What limits a proof to one use. */
export interface Use {
  /** As proofs bind it. */
  readonly nonce: string;
  /** As proofs bind it: Unix time in milliseconds, never negative. */
  readonly timestampMs: number;
  readonly isFresh: boolean;
  /** Until when the nonce stays spent. */
  readonly expiresAt: Date;
}

/** A proof of the time before a restore is stale, because its nonce may have been spent after the backup. */
export function readUse(
  { proofsFrom }: Pick<Deps, 'proofsFrom'>,
  { nonce, timestamp }: Pick<SingleUseProof, 'nonce' | 'timestamp'>,
  now: number,
): Use {
  // A proof can only bind a non-negative time. An earlier one is stale in any case.
  const timestampMs = Math.max(0, new Date(timestamp).getTime());
  return {
    nonce: nonce.toLowerCase(),
    timestampMs,
    isFresh: Math.abs(now - timestampMs) <= SKEW_MS && timestampMs >= proofsFrom,
    expiresAt: new Date(Math.min(timestampMs, now + SKEW_MS) + NONCE_TTL_MS),
  };
}

/** Spends a nonce for something other than a verification. False if it is spent. */
export const consumeNonce = (
  w: Write,
  { nonce, expiresAt }: Pick<Use, 'nonce' | 'expiresAt'>,
): Promise<boolean> => store.consumeNonce(w, nonce, expiresAt);

/** A well-formed proof with a reserved slot in the verifier's queue. */
export interface ReservedProof {
  readonly signals: ParsedProof['signals'];
  /** Whether the proof is valid. */
  verify(): Promise<boolean>;
  /** Frees the slot if `verify` will not be called. */
  release(): void;
}

/**
 * Parses a proof and reserves a slot in the verifier's queue, before anything is looked up. 400 for a malformed proof, 503
 * when the queue is full. If `tenant` verifies on the blockchain, the contract must accept the proof as well.
 */
export function reserveProof(
  { verifier, ...deps }: Pick<Deps, 'verifier' | 'anchoring' | 'log'>,
  source: Source & { readonly tenant?: Tenant },
  input: SentProof,
  names?: PartNames,
): ReservedProof {
  const { tenant, ...place } = source;
  const parsed = parse(input, names);
  const slot = verifier.reserve(place) ?? fail('service_unavailable', { because: 'verifier queue full' });
  return {
    signals: parsed.signals,
    release: () => slot.release(),
    async verify() {
      try {
        const valid = await slot.verify(parsed);
        return valid && tenant && verifiesOnChain(deps, tenant) ? await agreesOnChain(deps, parsed) : valid;
      } catch (error) {
        if (error instanceof VerifierUnavailableError)
          fail('service_unavailable', { because: error.message });
        throw error;
      }
    },
  };
}

/** A verification without the lifetimes of its sessions. */
type Verification = Omit<store.Attempt, keyof ReturnType<typeof sessionLifetimes>>;

/** The result of a verification for its audit entry. */
export const resultOf = (outcome: store.Settled | undefined) =>
  outcome?.won ? { result: 'pass' } : { result: 'fail', ...(outcome && { reason: outcome.reason }) };

/** Decides a verification and, if it succeeds, opens its sessions. `spend` consumes what may be used once. */
export const settleVerification = <const V extends Verification>(
  w: Write,
  verification: V,
  spend: store.Spend,
  now: Date,
): ReturnType<typeof store.settleVerification<V & ReturnType<typeof sessionLifetimes>>> =>
  store.settleVerification(w, { ...verification, ...sessionLifetimes(now.getTime()) }, spend, now);

export type ProofContext = Pick<ScopedContext, 'scope' | 'write'> & {
  readonly deps: Pick<
    Deps,
    'anchoring' | 'clock' | 'ids' | 'log' | 'proofsFrom' | 'random' | 'tokens' | 'verifier'
  >;
};

/** What a verification requires of a valid, fresh proof, and how it is recorded. */
export interface VerificationRequest {
  readonly action: AuditAction;
  /** The error of every failure. */
  readonly failure: ErrorCode;
  /** The caller that the verifier counts it for. Default: the scope's tenant. */
  readonly source?: Source;
  /** The tenant whose policy decides whether the blockchain verifies the proof too. */
  readonly tenant?: Tenant;
  /** Judges the assertion that came with the proof. Undefined: none did. */
  readonly judge?: () => Promise<Verified | Refused | undefined>;
  /** The lowest level of an assertion that the policy accepts. Default: 0, which is none. */
  readonly level?: number;
  /** The identity that the proof must match, and why the proof is rejected, if so. */
  readonly authorize: (
    signals: ParsedProof['signals'],
    use: Use,
  ) => Pick<Verification, 'identity' | 'rejected'>;
}

/**
 * Accepts a proof once and opens a session. Every failure returns the same error after the same work: one slot at the
 * verifier, reserved before any look-up, one verification of the proof, and one write.
 */
export async function verifyProofOnce(
  { deps, scope, write }: ProofContext,
  input: SingleUseProof,
  { action, failure, source, tenant, judge, level = 0, authorize }: VerificationRequest,
): Promise<SessionTokens> {
  const proof = reserveProof(
    deps,
    { ...(source ?? { name: scope.tenantId }), ...(tenant && { tenant }) },
    input,
  );
  const [valid, judged] = await Promise.all([proof.verify(), judge?.()]);

  const now = deps.clock.now();
  const use = readUse(deps, input, now);
  const { identity, rejected } = authorize(proof.signals, use);
  const refused = judged !== undefined && 'refused' in judged ? judged : undefined;
  const verified = refused === undefined ? (judged as Verified | undefined) : undefined;
  const attested = { verified, isEnough: (verified?.level ?? 0) >= level };
  const session = prepareSession(deps);
  const attempt: Verification = {
    verificationId: deps.ids(),
    identity: identity && { ...identity, attested },
    rejected: !valid
      ? 'invalid_proof'
      : !use.isFresh
        ? 'stale'
        : (rejected ?? (refused ? 'attestation' : null)),
    sessions: [session],
    ...(verified && { metadata: { attestation: verifiedBy(verified) } }),
  };
  const settled = await write(action, async (w) => {
    let outcome: store.Settled | undefined;
    w.audit(() => ({
      entityType: 'verification',
      entityId: attempt.verificationId,
      status: outcome?.won ? 'success' : 'failure',
      metadata: {
        ...{ method: 'zkp', ...resultOf(outcome) },
        ...(refused && { refused: refused.refused }),
        ...(outcome?.won && verified && verifiedBy(verified)),
      },
    }));
    const spend = store.spendNonce(w, use.nonce, use.expiresAt, attempt.verificationId);
    outcome = await settleVerification(w, attempt, spend, new Date(now));
    return outcome;
  });
  if (!settled.won && settled.reason === 'attestation_level') fail('device_attestation_insufficient');
  if (!settled.won) fail(failure, { because: settled.reason });
  return issueTokens(deps, scope, {
    sessionId: session.id,
    userId: settled.userId,
    did: identity?.did ?? null,
    refreshToken: session.refreshToken,
  });
}
