import { fail } from '../../base/errors.js';
import { sql } from '../../db/sql.js';
import type { TenantWrite, Write } from '../../ledger/write.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import type { PhoneCaller } from './callers.js';
import { consumeNonce } from './nonces.store.js';
import { auditFailure, type Proved } from './prove.js';
import { lockProver, type ProverRow } from './provers.store.js';

/** Why what may be used once can't be used by this claim: the key of its assertion, and its nonce. */
async function spend(
  w: Write,
  { claim, verified, use, at }: Proved,
  { id }: ProverRow,
): Promise<FailureReason | null> {
  const isUsable = verified?.isUsable(w.scope, sql`${id}::uuid`);
  if (verified && isUsable && !(await verified.recordUse(w, at, isUsable))) return 'attestation';
  return claim.spends === false || (await consumeNonce(w, use)) ? null : 'nonce_used';
}

/**
 * Spends the nonce and does what the claim asks for, in one transaction. Everything that may have changed since `prove` is
 * checked again under the identity's lock. A failure of `settle` leaves the nonce unspent.
 */
export function decide<T>(
  caller: PhoneCaller,
  proved: Proved,
  settle: (w: Write, prover: ProverRow) => Promise<T>,
): Promise<T>;
/** As above, for what locks the tenant's row. */
export function decide<T>(
  caller: PhoneCaller,
  proved: Proved,
  settle: (w: TenantWrite, prover: ProverRow) => Promise<T>,
  locks: 'tenant',
): Promise<T>;
export async function decide<T>(
  { write, isKeyless }: PhoneCaller,
  proved: Proved,
  settle: (w: TenantWrite, prover: ProverRow) => Promise<T>,
  locks?: 'tenant',
): Promise<T> {
  const { claim, search, unchanged, at } = proved;
  const { action, failure = 'verification_failed', admits } = claim;
  const deciding = async (w: TenantWrite) => {
    const prover = await lockProver(w, search, at, admits);
    const reason = prover ? (prover.reason ?? (await spend(w, proved, prover))) : 'unknown_identity';
    if (prover !== undefined && reason === null) {
      await unchanged.ensureLeaf(w, at);
      return { result: await settle(w, prover) };
    }
    if (isKeyless) fail(failure, { because: reason ?? 'unknown' });
    auditFailure(w, reason ?? 'unknown_identity');
    return { reason };
  };
  const decided = await write(action, deciding, locks as 'tenant');
  if (!('result' in decided)) return fail(failure, { because: decided.reason ?? 'unknown' });
  return decided.result as T;
}
