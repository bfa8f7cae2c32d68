import { approveBind, approveDeclineBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { NIL_UUID } from '../../base/crypto/random.js';
import { fail } from '../../base/errors.js';
import type { BaseContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { reader, type Write } from '../../ledger/write.js';
import { assertionOf } from '../attestation/attestation.js';
import { countWrongNumber } from '../identities/identities.js';
import { isNumber } from '../pairing/pairing.js';
import { attestedBy, type Claim, decide, phoneOf, prove } from '../proofs/proofs.js';
import type { DecideBody } from './approvals.schema.js';
import * as store from './approvals.store.js';
import { APPROVAL_TOPIC, auditApproval } from './changes.js';
import { outcomeOf, stateAt, withVote } from './states.js';

const NOWHERE: Scope = { tenantId: NIL_UUID, environment: 'live' };

/**
 * A person approves or declines by a proof of their phone, which is bound to the digest of what it showed. An unknown approval, another
 * digest, somebody else and a wrong proof are the same 401 after the same work. A decision is made once for each person: the approval is the
 * proof's single use, so it has no nonce.
 */
export async function decideApproval(
  context: Pick<BaseContext, 'deps' | 'address'>,
  id: string,
  input: Static<typeof DecideBody>,
) {
  const { deps } = context;
  const { decision, digest, decidedAt, matchCode, reason } = input;
  const place = await store.findPlace(deps.db, id);
  const scope = place ? { tenantId: place.tenant_id, environment: place.environment } : NOWHERE;
  // Read for every request, so that an approval that does not exist takes as long.
  const [caller, people] = await Promise.all([
    phoneOf(context, scope),
    store.listDecisions(reader(deps.db, scope), [id]),
  ]);
  const action = decision === 'approve' ? 'approval.approved_by' : 'approval.declined_by';
  const claim: Claim = {
    purpose: decision === 'approve' ? 'approve' : 'approve-decline',
    action,
    input: { ...input, nonce: id, timestamp: decidedAt },
    bindOf: ({ timestampMs, ...use }) => {
      const fields = { ...use, approvalId: id, digest, decidedAtMs: timestampMs, matchCode };
      return decision === 'approve' ? approveBind(fields) : approveDeclineBind({ ...fields, reason });
    },
    spends: false,
    confirms: false,
    // A person who did not ask for it has to be able to decline, also with a phone that has no key.
    attested: assertionOf(deps, input.attestation, {
      policy: decision === 'approve' ? caller.tenant?.securityPolicy : undefined,
    }),
  };
  const proved = await prove(caller, claim);
  const { at } = proved;
  const userId = proved.prover.user_id;
  if (place === undefined || !people.some(({ user_id }) => user_id === userId) || place.digest !== digest)
    return fail('verification_failed', { because: 'not theirs to decide' });
  // Somebody who did not ask for it can't know the number, and has to be able to decline.
  const matchHash = decision === 'approve' ? place.match_hash : null;
  const { match_locked_until: lockedUntil } = proved.prover;
  if (matchHash !== null && lockedUntil !== null && lockedUntil > at)
    return fail('verification_failed', { because: 'its numbers are locked' });
  if (matchHash !== null && matchCode === undefined) return fail('pairing_match_required');
  const isRight = matchHash === null || isNumber(deps, { scope, id }, matchCode ?? '', matchHash);
  const settle = async (w: Write, prover: typeof proved.prover) => {
    const [row, before] = await Promise.all([store.lockApproval(w, id), store.countDecisions(w, id)]);
    if (row === undefined || stateAt(row, at.getTime()) !== 'pending')
      return fail('approval_closed', { because: 'ended' });
    if (!isRight) {
      w.audit({ entityType: 'approval', entityId: id, status: 'failure', metadata: { userId, digest } });
      return { wrong: await countWrongNumber(w, prover.did, at) };
    }
    auditApproval(w, action, row, { userId, identityId: prover.id, ...attestedBy(proved) });
    const given = {
      ...{ approvalId: id, userId, decision, identityId: prover.id, did: prover.did },
      decidedAt: new Date(decidedAt),
      recordedAt: at,
      reason: reason ?? null,
      matchCode: matchCode ?? null,
      circuit: 'identity_proof',
      proof: { proof: input.proof, publicSignals: input.publicSignals },
    };
    const outcome = outcomeOf(withVote(before, decision), row.required);
    if (outcome !== undefined)
      auditApproval(w, outcome === 'approved' ? 'approval.approved' : 'approval.declined', row);
    const state = outcome ?? ('pending' as const);
    const [isFirst] = await Promise.all([
      store.insertDecision(w, given),
      store.moveApproval(w, id, ['pending'], state),
    ]);
    return isFirst ? { state } : fail('approval_closed', { because: 'decided before' });
  };
  const result = await decide(caller, proved, settle);
  if ('wrong' in result) {
    const message = result.wrong
      ? 'The number was wrong three times. Approving with a number is locked for an hour.'
      : 'The number is wrong. The approval still waits.';
    return fail('pairing_match_failed', { message });
  }
  deps.bus.publish(APPROVAL_TOPIC, id);
  return { approval: { id, state: result.state } };
}
