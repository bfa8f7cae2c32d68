import { contestBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { NIL_UUID } from '../../../base/crypto/random.js';
import { fail } from '../../../base/errors.js';
import type { BaseContext } from '../../../http/route.js';
import type { Scope } from '../../../ledger/audit-store.js';
import type { Write } from '../../../ledger/write.js';
import type { NoticeContext } from '../../accounts/accounts.js';
import { CONTESTANTS, mayContest } from '../../identities/identities.js';
import { type Claim, decide, phoneOf, prove } from '../../proofs/proofs.js';
import { close, unlessEnded } from '../closing.js';
import { holdRecovery } from '../registrations.store.js';
import { auditRecovery, isHeld, warnOfRecovery } from './recoveries.js';
import type { ContestBody } from './recoveries.schema.js';
import { findPlace } from './recoveries.store.js';

const NOWHERE: Scope = { tenantId: NIL_UUID, environment: 'live' };

/** A phone in use ends the recovery. */
async function end(w: Write, id: string, at: Date) {
  auditRecovery(w, 'identity.recovery_contested', await close(w, id, 'cancel', at), { held: false });
  return { id, state: 'abandoned' as const };
}

/** A phone that was revoked holds it, until two owners confirm it if the account had two when it was opened. One that was confirmed is not held again. */
async function hold(w: Write, id: string, at: Date) {
  const row = (await holdRecovery(w, id, at)) ?? fail('recovery_closed', { because: 'concurrently' });
  auditRecovery(w, 'identity.recovery_contested', row, { held: isHeld(row) });
  return { id, state: 'pending_recovery' as const, held: isHeld(row), row };
}

type Contested = Awaited<ReturnType<typeof end | typeof hold>>;

/**
 * A phone of the person contests a recovery by its proof. Everything but a valid proof of such a phone returns the same 401 after the
 * same work, whether the recovery exists or not. 409 for a recovery that has ended.
 */
export async function contestRecovery(
  context: Pick<BaseContext, 'deps'> & NoticeContext,
  id: string,
  input: Static<typeof ContestBody>,
) {
  const place = await findPlace(context.deps.db, id);
  const scope = place ? { tenantId: place.tenant_id, environment: place.environment } : NOWHERE;
  const caller = await phoneOf(context, scope);
  const claim: Claim = {
    purpose: 'contest',
    action: 'identity.recovery_contested',
    input,
    bindOf: (use) => contestBind({ ...use, recoveryId: id }),
    admits: CONTESTANTS,
  };
  const proved = await prove(caller, claim);
  const { prover, tenant, at } = proved;
  if (place?.user_id !== prover.user_id || !mayContest(prover, tenant.securityPolicy, at))
    return fail('verification_failed', { because: 'not a phone that may contest it' });
  if (place.state !== 'pending_recovery') return fail('recovery_closed', { because: place.state });
  // It is held already, or was confirmed: contesting it again changes nothing.
  if (prover.revoked_at && place.contested_at)
    return { recovery: { id, state: place.state, held: isHeld(place) } };
  const contesting = decide<Contested>(caller, proved, (w, current) => {
    if (!mayContest(current, tenant.securityPolicy, at))
      fail('verification_failed', { because: 'revoked concurrently' });
    return current.revoked_at ? hold(w, id, at) : end(w, id, at);
  });
  const contested = (await unlessEnded(contesting)) ?? fail('recovery_closed', { because: 'concurrently' });
  if (!('row' in contested)) return { recovery: contested };
  const { row, ...recovery } = contested;
  if (recovery.held) warnOfRecovery(context, scope, row);
  return { recovery };
}
