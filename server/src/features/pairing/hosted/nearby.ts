import { sha256 } from '../../../base/crypto/keyring.js';
import { fail } from '../../../base/errors.js';
import type { Scope } from '../../../ledger/audit-store.js';
import {
  credentialOf,
  judgeNearby,
  type NearbyCredential,
  requiredLevel,
} from '../../attestation/attestation.js';
import { resultOf, type Settled, settleVerification } from '../../proofs/proofs.js';
import { isOutdated } from '../least.js';
import { type PairingContext, stateOf, watchedPairing } from '../pairing.js';
import * as store from '../pairing.store.js';
import { type PageContext, requireSignature } from './browser-signature.js';

const TIMEOUT_MS = 120_000;

/** What the passkey signs: this session, in this browser. */
function challengeOf(
  { tenantId, environment }: Scope,
  { id, nonce, browser_thumbprint }: Pick<store.PairingRow, 'id' | 'nonce' | 'browser_thumbprint'>,
): Buffer {
  const text = ['svc-nearby-v1', tenantId, environment, id, nonce, browser_thumbprint].join('|');
  return Buffer.from(sha256(text), 'hex');
}

/** What the page asks the browser for: a passkey of a phone that is beside it. */
export async function nearbyOptions(
  { deps, read, scope }: Pick<PairingContext, 'deps' | 'read' | 'scope'>,
  row: store.PairingRow,
) {
  const id = row.identity_id === null ? undefined : await credentialOf(read, row.identity_id);
  return {
    challenge: challengeOf(scope, row).toString('base64url'),
    rpId: new URL(deps.config.baseUrl).hostname,
    allowCredentials:
      id === undefined ? [] : [{ type: 'public-key', id, transports: ['hybrid', 'internal'] }],
    userVerification: 'required',
    hints: ['hybrid'],
    timeout: TIMEOUT_MS,
  };
}

function requireProved(context: PageContext, row: store.PairingRow) {
  const state = stateOf(row, context.deps.clock.now());
  const isOver = state === 'expired' || isOutdated(context.principal.tenant.securityPolicy, row);
  if (isOver) fail('pairing_session_expired');
  const { state: stored, user_id: userId, did, identity_id: identityId } = row;
  if (stored !== 'proved' || userId === null || did === null || identityId === null)
    return fail('sign_in_not_approved');
  return { id: row.id, userId, did, identityId };
}

/**
 * Binds a session that waits, because a passkey of the phone has signed in the browser that opened it. What the proof showed may have ended
 * since, so the statement judges it again. Whatever is wrong is the same 401, and the reason stands in the verification and the audit row.
 */
export async function bindNearby(
  context: PageContext,
  {
    sessionId,
    signature,
    credential,
  }: { sessionId: string; signature: string | undefined; credential: NearbyCredential },
) {
  const { deps, scope, read, write } = context;
  const row = await watchedPairing(context, sessionId);
  const key = requireSignature(context, row, 'nearby', signature);
  const session = requireProved(context, row);
  const proved = await store.findProved(read, sessionId);
  if (key === undefined || proved === undefined) return fail('sign_in_not_approved');
  const { identityId, did } = session;
  const challenge = challengeOf(scope, row);
  const judged = await judgeNearby(deps, read, { identityId, challenge, credential });
  const refused = 'refused' in judged ? judged.refused : undefined;
  const verified = 'refused' in judged ? undefined : judged;
  const isEnough = (verified?.level ?? 0) >= requiredLevel(context.principal.tenant.securityPolicy);
  const now = new Date(deps.clock.now());
  const verificationId = deps.ids();
  const { commitment, metadata } = proved;
  const settled = await write('pairing.submit', async (w) => {
    let outcome: Settled<string> | undefined;
    w.audit(() => ({
      entityType: 'pairing_session',
      entityId: sessionId,
      status: outcome?.won ? 'success' : 'failure',
      metadata: {
        verificationId,
        ...resultOf(outcome),
        nearby: true,
        ...(refused && { refused }),
      },
    }));
    await store.lockPairing(w, sessionId);
    const attempt = {
      verificationId,
      identity: {
        did,
        commitment,
        bound: true,
        matched: row.match_hash !== null,
        attested: { verified, refused, isEnough },
      },
      rejected: null,
      metadata,
    };
    const spend = { id: sessionId, commitment, thumbprint: key.thumbprint, verificationId };
    outcome = await settleVerification(w, attempt, store.spendProved(w, spend, now), now);
    return outcome;
  });
  deps.bus.publish('pairing_session', sessionId);
  if (!settled.won) return fail('verification_failed', { because: settled.reason });
  return { id: sessionId, state: 'bound' as const };
}
