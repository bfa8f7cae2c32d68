import { pairingBind } from '@svc/zk/field';
import type { Source } from '@svc/zk/verifier/pool';
import type { Static } from 'typebox';
import { sha256 } from '../../base/crypto/keyring.js';
import { type ErrorCode, fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { AuditMetadata } from '../../ledger/audit-chain.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { canonicalDid } from '../../model/did.js';
import type { FailureReason } from '../../model/failure-reasons.js';
import { iso } from '../../records/schema.js';
import { assertionOf, hasKey } from '../attestation/attestation.js';
import { countWrongNumber } from '../identities/identities.js';
import {
  type Judged,
  judge,
  type Outcome,
  resultOf,
  type Settled,
  type Statement,
  settleVerification,
} from '../proofs/proofs.js';
import { openedBy, prepareSession } from '../sessions/sessions.js';
import {
  policyError,
  readVerdict,
  recorded,
  recordedVerified,
  snapshot,
  type Verdict,
} from './attestation.js';
import { isFreshSlot, isNumber, isValidTicket } from './code/moving-code.js';
import { asksNearby, isOnSameDevice, isOutdated } from './least.js';
import { tokensOf } from './pairing.js';
import type { SubmitBody } from './pairing.schema.js';
import * as store from './pairing.store.js';

const RETURN_MS = 60_000;
/** Failed submits of a session, after which phones without an API key can't try again. Each failure is a row of the audit log. */
const MAX_KEYLESS_FAILURES = 20;

/** A phone's request: from an app with an API key, or from a phone without one, in the scope of the scanned session. */
export interface PhoneContext extends ScopedContext {
  readonly deps: Pick<
    Deps,
    | 'anchoring'
    | 'bus'
    | 'clock'
    | 'config'
    | 'db'
    | 'ids'
    | 'keyring'
    | 'log'
    | 'proofsFrom'
    | 'random'
    | 'tokens'
    | 'verifier'
  >;
  readonly address: string;
  readonly tenant: Tenant;
  /** The caller that the verifier counts its proofs for. */
  readonly source: Source;
  readonly isKeyless: boolean;
}

/** Rejects a proof. Records this with its reason in the audit log and, while the session is open, notifies the desktop. */
async function reject(
  { write, deps, isKeyless }: PhoneContext,
  session: store.PairingRow | undefined,
  rejection: { action: AuditAction; code: ErrorCode; reason: FailureReason; metadata: AuditMetadata },
): Promise<never> {
  await write(rejection.action, async (w) => {
    const metadata = { reason: rejection.reason, ...rejection.metadata };
    const now = deps.clock.now();
    const locked = isKeyless && session && (await store.lockPairing(w, session.id));
    if (locked) requireFewFailures(locked, now);
    w.audit({ entityType: 'pairing_session', entityId: session?.id ?? null, status: 'failure', metadata });
    if (session) await store.recordError(w, session.id, rejection.code, new Date(now));
  });
  if (session) deps.bus.publish('pairing_session', session.id);
  fail(rejection.code);
}

/** An expired session accepts nothing, however it ended [pairing/one-submit-binds]. */
export function requireOpen(row: Pick<store.PairingRow, 'state' | 'expires_at'>, now: number): void {
  if (row.expires_at.getTime() <= now) fail('pairing_session_expired');
  if (row.state === 'bound' || row.state === 'proved') fail('pairing_session_already_bound');
  if (row.state !== 'issued') fail('pairing_session_closed');
}

type FailingRow = Pick<store.PairingRow, 'state' | 'expires_at' | 'error_count'>;

/**
 * Without an API key, only an open session's failures are recorded, and not without end. Also checked in the transaction that
 * records one, because they can be simultaneous.
 */
function requireFewFailures(row: FailingRow, now: number): void {
  requireOpen(row, now);
  if (row.error_count < MAX_KEYLESS_FAILURES) return;
  fail('rate_limit_exceeded', {
    message: 'Too many attempts failed for this pairing session. Open a new one.',
    retryAfterSeconds: Math.ceil((row.expires_at.getTime() - now) / 1000),
  });
}

type Scan = Pick<Static<typeof SubmitBody>, 'scanTicket' | 'slot' | 'slotMac'>;

/** Whether the code was fresh when it was scanned. A code that does not move always is. */
export function requireFresh({ deps, scope }: PhoneContext, row: store.PairingRow, scan: Scan): void {
  if (!row.rotates) return;
  const session = { scope, id: row.id };
  const now = deps.clock.now();
  const { scanTicket, slot, slotMac } = scan;
  if (scanTicket !== undefined && isValidTicket(deps, session, scanTicket, now)) return;
  if (slot !== undefined && slotMac !== undefined && isFreshSlot(deps, session, { slot, slotMac }, now))
    return;
  fail('pairing_code_stale');
}

/** What an approval is about, and what its proof must show. */
interface Approval extends Statement {
  readonly did: string;
  readonly session: store.PairingRow;
  /** The number that the person typed, if the session asks for one. */
  readonly matchCode: string | undefined;
  /** The client's claim. */
  readonly verdict: Verdict;
  readonly client: object;
}

/** Checks a phone's submission: policy, session state and freshness, in this order. Binding, proof, identity and number come after it. */
async function approvalOf(
  context: PhoneContext,
  sessionId: string,
  input: Static<typeof SubmitBody>,
): Promise<Approval> {
  const { deps, scope, tenant } = context;
  const policy = tenant.securityPolicy;
  const session = await store.findPairing(context.read, sessionId);
  if (context.isKeyless && session) requireFewFailures(session, deps.clock.now());
  const { attestation: sent, deviceAttestationVerdict, rawScan: _, ...client } = input.clientMeta ?? {};
  const verdict = readVerdict(deviceAttestationVerdict);
  const code = policyError(policy, verdict, sent !== undefined);
  if (code !== undefined) {
    const metadata = { ...recorded(verdict), ...snapshot(policy) };
    const rejection = { code, reason: 'attestation', metadata } as const;
    return reject(context, session, { action: 'pairing.integrity_rejected', ...rejection });
  }
  if (session === undefined) fail('pairing_session_not_found');
  requireOpen(session, deps.clock.now());
  if (isOutdated(policy, session))
    fail('pairing_session_expired', { because: 'weaker than the policy, or its device ended' });
  const asksNumber = session.match_hash !== null;
  if (asksNumber && input.matchCode === undefined) fail('pairing_match_required');
  requireFresh(context, session, input);
  const matchCode = asksNumber ? input.matchCode : undefined;
  return {
    ...{ purpose: 'pairing', did: canonicalDid(input.did), session, matchCode, verdict, client },
    bindOf: () => pairingBind({ ...scope, sessionId, nonce: session.nonce, matchCode }),
    attested: assertionOf(deps, sent, { policy, subject: session.id }),
    onOtherBinding() {
      // With a number, the response must not say whether the number or the proof is the reason.
      const rejected = asksNumber ? 'verification_failed' : 'pairing_nonce_mismatch';
      const rejection = { code: rejected, reason: 'wrong_binding', metadata: recorded(verdict) } as const;
      return reject(context, session, { action: 'pairing.binding_rejected', ...rejection });
    },
  };
}

/**
 * Binds the session, or ends it if the number beside a valid proof of a registered person is wrong
 * [pairing/checks-of-a-submit]. Every other failure of a valid proof returns the same 401 after the same work; with an API key, that of
 * an invalid one too. 409 if a concurrent request ended the session.
 */
export async function submitProof(
  context: PhoneContext,
  sessionId: string,
  input: Static<typeof SubmitBody>,
) {
  const { proof, publicSignals } = input;
  const sent = { proof, publicSignals };
  const judged = await judge(context, sent, () => approvalOf(context, sessionId, input));
  // Anybody can send such a proof without a key, and knows that it is not valid. It must cost the account nothing.
  if (context.isKeyless && judged.flaw !== undefined) fail('verification_failed', { because: judged.flaw });
  return bindByProof(context, judged);
}

/** Whether a registered person typed another number than the one that the desktop shows, which ended the session. */
const isWrongNumber = (settled: Settled<string> | undefined): boolean =>
  settled?.won === false && settled.reason === 'wrong_number';

/** Whether everything is valid, and the level of the key is not what the policy requires. */
const isLevelTooLow = (settled: Settled<string> | undefined): boolean =>
  settled?.won === false && settled.reason === 'attestation_level';

const waits = (settled: Settled<string> | undefined): boolean =>
  settled?.won === true && settled.waits === true;

/** What the audit log calls the outcome, if that is not `pairing.submit`. */
function endingOf(settled: Settled<string> | undefined): { readonly action?: AuditAction } {
  if (isWrongNumber(settled)) return { action: 'pairing.match_failed' };
  if (isLevelTooLow(settled)) return { action: 'pairing.integrity_rejected' };
  return waits(settled) ? { action: 'pairing.proved' } : {};
}

/** A person whose proof is valid learns that it is the browser. */
const errorOf = ({ reason }: Extract<Settled<string>, { won: false }>) =>
  reason === 'new_browser' ? ('new_browser_refused' as const) : ('verification_failed' as const);

/** What the session's browser needs if it is new to the person. Undefined if the policy asks for nothing there. */
function nearbyNeed(
  { scope, tenant }: PhoneContext,
  session: store.PairingRow,
  proved: Pick<store.NearbyNeed, 'metadata'>,
): store.NearbyNeed | undefined {
  const { browser_thumbprint: thumbprint } = session;
  if (!asksNearby(tenant.securityPolicy) || isOnSameDevice(session) || thumbprint === null) return undefined;
  return { thumbprint, isPossible: (id) => hasKey(scope, id), ...proved };
}

/** The sessions and the return code that an approval gives. The OpenID Provider issues its own tokens. */
function openingOf({ deps, tenant }: PhoneContext, session: store.PairingRow) {
  const isForOpenId = session.purpose === 'oidc';
  const phone = tenant.securityPolicy.desktop_tokens_only || isForOpenId ? undefined : prepareSession(deps);
  const desktop = isForOpenId ? undefined : prepareSession(deps);
  const sealed = desktop && {
    ...desktop,
    refreshSealed: deps.keyring.encrypt(desktop.refreshToken, deps.random),
  };
  const returnCode = session.return_url === null ? undefined : deps.random.bytes(32).toString('base64url');
  const returns = returnCode === undefined ? undefined : returnOf(returnCode, deps.clock.now());
  return { phone, desktop, sealed, returnCode, returns };
}

const returnOf = (code: string, now: number) => ({
  hash: sha256(code),
  expiresAt: new Date(now + RETURN_MS),
});

async function bindByProof(context: PhoneContext, judged: Judged<Approval>) {
  const { deps, scope, tenant, write, isKeyless } = context;
  const { commitment, verified, refused, at } = judged;
  const { session, did, matchCode, verdict: claimed, client } = judged.statement;
  const { id: sessionId, match_hash: matchHash, return_url: returnUrl } = session;
  const policy = tenant.securityPolicy;
  const now = at.getTime();
  const numberIsRight =
    matchHash === null || isNumber(deps, { scope, id: sessionId }, matchCode ?? '', matchHash);
  const verdict = verified ? recordedVerified(verified, claimed) : recorded(claimed);
  const opening = openingOf(context, session);
  const { phone, desktop, returnCode } = opening;
  const sessions = [phone, desktop].filter((opened) => opened !== undefined);
  const verificationId = deps.ids();
  const metadata = { pairingSessionId: sessionId, attestation: verdict, client };
  const attempt = {
    verificationId,
    identity: { did, commitment, bound: true, matched: matchHash !== null, attested: judged },
    rejected: judged.flaw ?? null,
    opens: (outcome: Outcome) => openedBy(sessions, outcome, sessionId),
    deviceId: session.opened_by_device,
    metadata,
  };
  // An assertion of a failed attempt may be somebody else's.
  const outcomeVerdict = (outcome: Settled<string> | undefined) =>
    outcome?.won ? verdict : recorded(claimed);
  const nearby = nearbyNeed(context, session, { metadata });
  const isUnlessNearby = session.purpose === 'oidc' && numberIsRight && !isOnSameDevice(session);
  const bind = {
    ...{ id: sessionId, did, commitment, numberIsRight, verificationId, nearby, isUnlessNearby },
    ...{ desktop: opening.sealed, returns: opening.returns },
  };
  const { locked, settled, isLocked } = await write('pairing.submit', async (w) => {
    let outcome: Settled<string> | undefined;
    w.audit(() => ({
      entityType: 'pairing_session',
      entityId: sessionId,
      ...endingOf(outcome),
      status: outcome?.won ? 'success' : 'failure',
      metadata: {
        // What waits is no pass yet.
        ...(!waits(outcome) && { verificationId, ...resultOf(outcome) }),
        ...(refused !== undefined && { refused }),
        ...(isLevelTooLow(outcome) ? { ...verdict, ...snapshot(policy) } : outcomeVerdict(outcome)),
      },
    }));
    const [row, decided] = await Promise.all([
      store.lockPairing(w, sessionId),
      settleVerification(w, attempt, store.spendPairing(w, bind, at), at),
      // Changes nothing if the decision ended the session.
      nearby === undefined && !isUnlessNearby && store.recordError(w, sessionId, 'verification_failed', at),
    ]);
    if ((nearby !== undefined || isUnlessNearby) && !decided.won)
      await store.recordError(w, sessionId, errorOf(decided), at);
    const isWrong = isWrongNumber(decided);
    if (isKeyless && row && !decided.won && !isWrong) requireFewFailures(row, now);
    outcome = decided;
    return { locked: row, settled: decided, isLocked: isWrong && (await countWrongNumber(w, did, at)) };
  });
  deps.bus.publish('pairing_session', sessionId);
  if (isWrongNumber(settled)) {
    const message = 'The number was wrong three times. Signing in with a number is locked for an hour.';
    fail('pairing_match_failed', isLocked ? { message } : {});
  }
  if (!settled.won) {
    if (isLevelTooLow(settled)) fail('device_attestation_insufficient');
    if (locked) requireOpen(locked, now);
    fail(errorOf(settled), { because: settled.reason });
  }
  const { userId } = settled;
  if (settled.waits)
    return { session: { id: sessionId, state: 'proved' as const, userId, did }, tokens: null };
  return {
    session: { id: sessionId, state: 'bound' as const, boundAt: iso(at), userId, did },
    tokens:
      phone === undefined
        ? null
        : tokensOf({ deps, scope }, { sessionId: phone.id, userId, did, refreshToken: phone.refreshToken }),
    ...(returnCode !== undefined && { returnCode, returnUrl: `${returnUrl}#${returnCode}` }),
  };
}
