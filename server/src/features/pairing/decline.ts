import { pairingBind, pairingDeclineBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { canonicalDid } from '../../model/did.js';
import { findProver, judge } from '../proofs/proofs.js';
import { isValidTicket } from './code/moving-code.js';
import type { DeclineBody } from './pairing.schema.js';
import * as store from './pairing.store.js';
import { type PhoneContext, requireOpen } from './submit.js';

type Decline = Static<typeof DeclineBody>;

/**
 * Whether a registered person declined. Without a proof, it was somebody who saw the code. 401 for a proof that is not valid. The
 * proof of an approval without a number is accepted until the next minor version, because older phones send it, but proves nothing.
 */
async function isProved(
  context: PhoneContext,
  { id: sessionId, nonce }: store.PairingRow,
  { did: givenDid, proof, publicSignals }: Decline,
): Promise<boolean> {
  if (proof === undefined && givenDid === undefined && publicSignals === undefined) return false;
  if (proof === undefined || givenDid === undefined || publicSignals === undefined)
    return invalid('body.proof', 'must come with did and publicSignals');
  const { deps, scope, read } = context;
  const did = canonicalDid(givenDid);
  const session = { ...scope, sessionId, nonce };
  const declining = () => ({
    ...{ purpose: 'pairing-decline' as const, did, bindOf: () => pairingDeclineBind(session) },
    orBoundTo: pairingBind(session),
  });
  const { flaw, found, isOther } = await judge(context, { proof, publicSignals }, declining, (commitment) =>
    findProver(read, { did, commitment, nonce: null }, new Date(deps.clock.now())),
  );
  if (flaw !== undefined || found === undefined || found.reason !== null)
    fail('verification_failed', { because: flaw ?? found?.reason ?? 'unknown_identity' });
  return !isOther;
}

/** Also a session that waits for the phone beside the browser can be declined. */
const requireUndecided = (row: Parameters<typeof requireOpen>[0], now: number): void =>
  requireOpen(row.state === 'proved' ? { ...row, state: 'issued' } : row, now);

/** Ends a session that the person did not ask for. */
export async function declinePairing(context: PhoneContext, id: string, body: Decline) {
  const { deps, read, write, scope } = context;
  const session = (await store.findPairing(read, id)) ?? fail('pairing_session_not_found');
  const { scanTicket, reason } = body;
  if (context.isKeyless && scanTicket === undefined)
    invalid('body.scanTicket', 'is required without an API key');
  requireUndecided(session, deps.clock.now());
  const isStale =
    scanTicket !== undefined && !isValidTicket(deps, { scope, id }, scanTicket, deps.clock.now());
  if (isStale) fail('pairing_code_stale');
  const proved = await isProved(context, session, body);
  const now = new Date(deps.clock.now());
  await write('pairing.declined', async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: id, metadata: { reason, proved } });
    if (await store.declinePairing(w, id, now)) return;
    // Another request ended the session first.
    requireUndecided((await store.lockPairing(w, id)) ?? fail('pairing_session_not_found'), now.getTime());
    fail('pairing_session_closed');
  });
  deps.bus.publish('pairing_session', id);
  return { session: { id, state: 'declined' as const } };
}
