import { boundSignal, commitmentToHex, didHash, pairingBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { type ErrorCode, fail } from '../../base/errors.js';
import { sha256 } from '../../base/keyring.js';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import { listPage } from '../../http/list.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { iso, isoOrNull } from '../../http/schema.js';
import type { AuditMetadata } from '../../ledger/audit-chain.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { canonicalDid } from '../../model/did.js';
import { type ReservedProof, reserveProof, settleVerification } from '../proofs/proofs.js';
import { issueTokens, prepareSession } from '../sessions/sessions.js';
import { policyError, readVerdict, recorded, snapshot } from './attestation.js';
import { addToCookie, hasBindSecret } from './bind-cookie.js';
import type { ListQuery, SubmitBody } from './pairing.schema.js';
import * as store from './pairing.store.js';

export { PAIRING_EXPIRIES } from './pairing.store.js';

const TTL_SECONDS = 300;

export type PairingContext = Pick<BaseContext, 'cookie' | 'setCookie'> &
  ScopedContext & { readonly deps: Deps; readonly principal: KeyPrincipal | ConsolePrincipal };

/** An open session becomes `expired` with time alone. A bound session does not. */
export const stateOf = (row: Pick<store.PairingRow, 'state' | 'expires_at'>, now: number) =>
  row.state === 'issued' && row.expires_at.getTime() <= now ? 'expired' : row.state;

/** The paths of a desktop's sessions, for an API key or for the console. */
const surfaceOf = (principal: PairingContext['principal']) =>
  'keyId' in principal
    ? { sessions: '/v1/proof-pairing/sessions', cookiePath: '/v1/proof-pairing/' }
    : { sessions: '/api/console/pairing', cookiePath: '/api/console/pairing' };

/** The fields of a session in every response to the desktop. */
function describe(
  { scope, deps, principal }: Pick<PairingContext, 'scope' | 'deps' | 'principal'>,
  { id, nonce, expiresAt }: { id: string; nonce: string; expiresAt: Date },
) {
  const { tenantId, environment } = scope;
  const expiry = Math.floor(expiresAt.getTime() / 1000);
  const base = Buffer.from(deps.config.baseUrl).toString('base64url');
  return {
    id,
    nonce,
    expiresAt: iso(expiresAt),
    qrPayload: `za:pair:1:${id}:${nonce}:${expiry}:${tenantId}:${environment}:${base}`,
    streamUrl: `${surfaceOf(principal).sessions}/${id}/stream`,
  };
}

/** Opens a session that only the browser with its cookie can watch. */
export async function openPairing(context: PairingContext) {
  const { deps, write } = context;
  const now = deps.clock.now();
  const secret = deps.random.bytes(32).toString('base64url');
  const pairing = {
    id: deps.ids(),
    nonce: deps.random.bytes(31).toString('hex'),
    bindHash: sha256(secret),
    expiresAt: new Date(now + TTL_SECONDS * 1000),
  };
  await write('pairing.session_created', async (w) => {
    w.audit({ entityType: 'pairing_session', entityId: pairing.id });
    await store.insertPairing(w, pairing, new Date(now));
  });
  const path = surfaceOf(context.principal).cookiePath;
  addToCookie(context, { sessionId: pairing.id, secret }, { path, maxAgeSeconds: TTL_SECONDS });
  return { ...describe(context, pairing), state: 'issued' as const };
}

/** The session, if the browser has its cookie. 404 for another account's session, then 403 without the cookie. */
export async function watchedPairing(context: PairingContext, id: string): Promise<store.PairingRow> {
  const row = (await store.findPairing(context.read, id)) ?? fail('pairing_session_not_found');
  if (!hasBindSecret(context, id, row.bind_hash)) fail('pairing_bind_mismatch');
  return row;
}

/** The tokens of a pairing, without the fields that its session already has. */
function tokensOf(
  { deps, scope }: { readonly deps: Deps; readonly scope: Scope },
  session: Parameters<typeof issueTokens>[2],
) {
  const { accessToken, refreshToken, tokenType, expiresIn } = issueTokens(deps, scope, session);
  return { accessToken, refreshToken, tokenType, expiresIn };
}

/**
 * The desktop's tokens, until the pairing expires. Only the refresh token is stored, encrypted. Each call signs a new access
 * token, which is valid for an hour from then on.
 */
export function desktopTokens(
  context: { readonly deps: Deps; readonly scope: Scope },
  row: store.PairingRow,
) {
  const { desktop_refresh_sealed: sealed, desktop_session_id: sessionId, user_id: userId, did } = row;
  if (sealed === null || sessionId === null || userId === null || did === null) return null;
  if (row.expires_at.getTime() <= context.deps.clock.now()) return null;
  const refreshToken = context.deps.keyring.decrypt(sealed);
  if (refreshToken === undefined) return null;
  return tokensOf(context, { sessionId, userId, did, refreshToken });
}

export async function pollPairing(context: PairingContext, id: string) {
  const row = await watchedPairing(context, id);
  const { nonce, expires_at: expiresAt, bound_at: boundAt, user_id: userId, did } = row;
  return {
    session: {
      ...describe(context, { id, nonce, expiresAt }),
      state: stateOf(row, context.deps.clock.now()),
      ...(boundAt !== null && { boundAt: iso(boundAt), userId, did }),
    },
    tokens: desktopTokens(context, row),
  };
}

/** A session in the console's list. */
const summarise = (row: store.PairingRow, now: number) => ({
  id: row.id,
  state: stateOf(row, now),
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
  boundAt: isoOrNull(row.bound_at),
  userId: row.user_id,
  did: row.did,
});

export function listPairings(
  context: Pick<PairingContext, 'scope' | 'deps'> & { readonly query: Static<typeof ListQuery> },
) {
  const now = context.deps.clock.now();
  return listPage(context, 'sessions', {
    fetch: (read, { state }, count, before) => store.listPairings(read, state, count, before, new Date(now)),
    show: (row) => summarise(row, now),
    position: (row) => row.id,
  });
}

/** The public state of a session. 404 after it has expired. */
export async function publicPairing({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) {
  const row = (await store.findPublic(db, id, new Date(clock.now()))) ?? fail('pairing_session_not_found');
  return { id: row.id, state: row.state, expiresAt: iso(row.expires_at) };
}

/** Rejects a proof. Records this in the audit log and, while the session is open, notifies the desktop. */
async function reject(
  { write, deps }: PairingContext,
  session: store.PairingRow | undefined,
  rejection: { action: AuditAction; code: ErrorCode; metadata: AuditMetadata },
): Promise<never> {
  await write(rejection.action, async (w) => {
    const { metadata } = rejection;
    w.audit({ entityType: 'pairing_session', entityId: session?.id ?? null, status: 'failure', metadata });
    if (session) await store.recordError(w, session.id, rejection.code, new Date(deps.clock.now()));
  });
  if (session) deps.bus.publish('pairing_session', session.id);
  fail(rejection.code);
}

/** An expired session accepts nothing, whether bound or not (DECISIONS §3, Pairing). */
function requireOpen(row: Pick<store.PairingRow, 'state' | 'expires_at'>, now: number): void {
  if (row.expires_at.getTime() <= now) fail('pairing_session_expired');
  if (row.state === 'bound') fail('pairing_session_already_bound');
}

/** Checks a phone's submission: policy, session state, binding and proof, in this order (DECISIONS §5, Pairing submit). */
export async function submitProof(
  context: PairingContext,
  sessionId: string,
  input: Static<typeof SubmitBody>,
) {
  const { tenant } = context.principal;
  const proof = reserveProof(context.deps, { name: context.scope.tenantId, tenant }, input);
  try {
    const session = await store.findPairing(context.read, sessionId);
    const policy = context.principal.tenant.securityPolicy;
    const verdict = readVerdict(input.clientMeta?.deviceAttestationVerdict);
    const code = policyError(policy, verdict);
    if (code !== undefined) {
      const metadata = { ...recorded(verdict), ...snapshot(policy) };
      return await reject(context, session, { action: 'pairing.integrity_rejected', code, metadata });
    }
    if (session === undefined) fail('pairing_session_not_found');
    requireOpen(session, context.deps.clock.now());
    const did = canonicalDid(input.did);
    const bind = pairingBind({ ...context.scope, sessionId, nonce: session.nonce });
    if (proof.signals[1] !== boundSignal(didHash(did), bind)) {
      const rejection = { code: 'pairing_nonce_mismatch', metadata: recorded(verdict) } as const;
      return await reject(context, session, { action: 'pairing.binding_rejected', ...rejection });
    }
    const client = { ...input.clientMeta, deviceAttestationVerdict: undefined, rawScan: undefined };
    return await bindByProof(context, sessionId, proof, { did, verdict: recorded(verdict), client });
  } finally {
    proof.release();
  }
}

interface Claimant {
  readonly did: string;
  readonly verdict: ReturnType<typeof recorded>;
  readonly client: object;
}

/** Every failure returns the same 401 after the same work, as in `verifyProofOnce`. 409 if a concurrent submit bound the session. */
async function bindByProof(
  { deps, scope, write }: PairingContext,
  sessionId: string,
  proof: ReservedProof,
  { did, verdict, client }: Claimant,
) {
  const valid = await proof.verify();
  const now = deps.clock.now();
  const at = new Date(now);
  const phone = prepareSession(deps);
  const desktop = prepareSession(deps);
  const attempt = {
    verificationId: deps.ids(),
    identity: { did, commitment: commitmentToHex(proof.signals[0]), bound: true },
    accepted: valid,
    sessions: [phone, desktop],
    pairingSessionId: sessionId,
    metadata: { pairingSessionId: sessionId, attestation: verdict, client },
  };
  const refreshSealed = deps.keyring.encrypt(desktop.refreshToken, deps.random);
  const bind = { id: sessionId, did, desktop: { ...desktop, refreshSealed } };
  const { locked, winner } = await write('pairing.submit', async (w) => {
    let outcome: { userId: string } | undefined;
    w.audit(() => ({
      entityType: 'pairing_session',
      entityId: sessionId,
      status: outcome ? 'success' : 'failure',
      metadata: { verificationId: attempt.verificationId, result: outcome ? 'pass' : 'fail', ...verdict },
    }));
    const locking = store.lockPairing(w, sessionId);
    const settling = settleVerification(deps, w, attempt, store.spendPairing(w, bind, at), at);
    // On several machines the decision takes several steps, which must come before the next statement.
    if (deps.spread) await settling;
    // Changes nothing if the decision bound the session.
    const recording = store.recordError(w, sessionId, 'verification_failed', at);
    const [row, settled] = await Promise.all([locking, settling, recording]);
    outcome = settled;
    return { locked: row, winner: settled };
  });
  deps.bus.publish('pairing_session', sessionId);
  if (winner === undefined) {
    if (locked) requireOpen(locked, now);
    fail('verification_failed', { because: valid ? 'identity' : 'proof' });
  }
  const { userId } = winner;
  const { refreshToken } = phone;
  return {
    session: { id: sessionId, state: 'bound' as const, boundAt: iso(at), userId, did },
    tokens: tokensOf({ deps, scope }, { sessionId: phone.id, userId, did, refreshToken }),
  };
}

/** The state of each pairing session, as its streams compare it. */
export const pairingStates = (db: Database, ids: readonly string[]) => store.pairingStates(db, ids);
