import type { FailureReason } from '../../model/failure-reasons.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import type { ProverRow } from '../proofs/proofs.js';
import { cooldownMs } from './policy.js';

/** How long after the cool-down of a recovery a revoked identity may contest one. */
const CONTEST_MS = 7 * 24 * 60 * 60_000;

/** What does not keep an identity from contesting. Who opens a recovery could also deactivate the person first. */
export const CONTESTANTS = ['revoked', 'inactive_user'] as const satisfies readonly FailureReason[];

/**
 * Whether an identity may contest a recovery of its person: it is in force, or somebody else revoked it a short time ago. Who opens a
 * recovery can also revoke the person's phones first.
 */
export const mayContest = (
  { revoked_at: revokedAt, revoked_by_itself: byItself }: Pick<ProverRow, 'revoked_at' | 'revoked_by_itself'>,
  policy: SecurityPolicy,
  at: Date,
): boolean =>
  revokedAt === null || (!byItself && revokedAt.getTime() + cooldownMs(policy) + CONTEST_MS > at.getTime());
