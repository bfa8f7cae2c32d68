import type { SecurityPolicy } from '../../model/security-policy.js';
import { type Verified, verifiedBy } from '../proofs/proofs.js';

/** A device attestation verdict as recorded. It is the client's claim and is not verified. */
export type Verdict = 'strong' | 'device' | 'basic' | 'other' | 'absent';

const NAMES: ReadonlyMap<unknown, Verdict> = new Map([
  ['MEETS_STRONG_INTEGRITY', 'strong'],
  ['strong', 'strong'],
  ['MEETS_DEVICE_INTEGRITY', 'device'],
  ['device', 'device'],
  ['MEETS_BASIC_INTEGRITY', 'basic'],
  ['basic', 'basic'],
]);

const RANKS: Readonly<Record<Verdict, number>> = { strong: 4, device: 3, basic: 2, other: 0, absent: 0 };

/** Parses a verdict exactly. Any other value, of any type, ranks lowest [pairing/checks-of-a-submit]. */
export function readVerdict(value: unknown): Verdict {
  if (value === undefined || value === null) return 'absent';
  return NAMES.get(value) ?? 'other';
}

/** The highest rank that the policy requires; 0 for none. */
const requiredRank = (policy: SecurityPolicy): number =>
  policy.require_strong_integrity
    ? RANKS.strong
    : policy.require_device_integrity
      ? RANKS.device
      : policy.require_basic_integrity
        ? RANKS.basic
        : 0;

/**
 * The error if the policy rejects a verdict; otherwise undefined. If it wants a verified one, the claim does not count: what was verified
 * is judged beside a valid proof.
 */
export function policyError(
  policy: SecurityPolicy,
  verdict: Verdict,
  isAttested: boolean,
): 'device_attestation_required' | 'device_attestation_insufficient' | undefined {
  if (policy.require_verified_attestation) return isAttested ? undefined : 'device_attestation_required';
  const required = requiredRank(policy);
  if (required === 0) return undefined;
  if (verdict !== 'absent') return RANKS[verdict] < required ? 'device_attestation_insufficient' : undefined;
  return policy.allow_device_attestation_absent ? undefined : 'device_attestation_required';
}

/** A verdict in an audit row or an event, and whether it was claimed. */
export const recorded = (verdict: Verdict) => ({
  verdict,
  evidence: verdict === 'absent' ? 'none' : 'claimed',
});

const VERDICT_OF: Readonly<Record<number, Verdict>> = { 2: 'basic', 3: 'device', 4: 'strong' };

/** The verdict of a verified key. What the client claims besides stays a claim. */
export const recordedVerified = (verified: Verified, claimed: Verdict) => ({
  verdict: VERDICT_OF[verified.level] ?? 'other',
  ...verifiedBy(verified),
  ...(claimed !== 'absent' && { claimed }),
});

/** The policy at the time, for the audit row of a rejection. */
export const snapshot = (policy: SecurityPolicy) => ({
  require_strong_integrity: policy.require_strong_integrity ?? false,
  require_device_integrity: policy.require_device_integrity ?? false,
  require_basic_integrity: policy.require_basic_integrity ?? false,
  allow_device_attestation_absent: policy.allow_device_attestation_absent ?? false,
  require_verified_attestation: policy.require_verified_attestation ?? false,
});
