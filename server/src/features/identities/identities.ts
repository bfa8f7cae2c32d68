import { boundSignal, commitmentFromHex, commitmentToHex, didHash, verifyBind } from '@svc/zk/field';
import { type Source, VerifierUnavailableError } from '@svc/zk/verifier/pool';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import type { Static } from 'typebox';
import { catchError, type ErrorCode, Failure, fail, invalid } from '../../base/errors.js';
import { sha256 } from '../../base/keyring.js';
import { violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { KeyPrincipal, Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { iso, isoOrNull } from '../../http/schema.js';
import type { Read, Write } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import { canonicalDid } from '../../model/did.js';
import { agreesOnChain, anchorIdentity, anchorOf, verifiesOnChain } from '../anchors/anchors.js';
import {
  issueTokens,
  newRefreshToken,
  REFRESH_TTL_MS,
  SESSION_TTL_MS,
  type SessionTokens,
} from '../sessions/sessions.js';
import { insertUser, lockUserByExternalId, nameOf } from '../users/users.js';
import type { RegisterBody, UnboundVerifyBody, VerifyBody } from './identities.schema.js';
import * as store from './identities.store.js';

export {
  issueTokens,
  newRefreshToken,
  REFRESH_TTL_MS,
  SESSION_TTL_MS,
  type SessionTokens,
} from '../sessions/sessions.js';
export { SignOnReply, UnboundVerifyBody } from './identities.schema.js';
export { NONCE_EXPIRY } from './identities.store.js';

const SKEW_MS = 5 * 60_000;
/** A nonce is remembered until its timestamp could no longer pass, with a margin. */
const NONCE_KEPT_MS = 10 * 60_000;

const serializeIdentity = (row: store.IdentityRow) => ({
  userId: row.user_id,
  did: row.did,
  commitment: row.commitment,
  createdAt: iso(row.created_at),
});

export const serializeRevoked = (row: store.IdentityRow) => ({
  ...serializeIdentity(row),
  revokedAt: isoOrNull(row.revoked_at),
});

/** The user with that externalId, who must not have an active identity already; undefined: a new one is to be made. */
async function existingUser(
  w: Write,
  principal: KeyPrincipal,
  externalId: string,
): Promise<string | undefined> {
  const user = await lockUserByExternalId(w, externalId);
  if (user === undefined) return undefined;
  if (!principal.scopes.includes('users:write')) {
    fail('insufficient_scopes', {
      message: 'Adding an identity to an existing user also needs users:write.',
    });
  }
  if (await store.hasActiveIdentity(w, user.id)) {
    fail('external_id_conflict', {
      message: 'The user with this externalId already has an active identity.',
    });
  }
  return user.id;
}

/** Binds a DID and a commitment to a user. Both are names within the tenant and environment, taken once. */
export async function registerIdentity(
  w: Write,
  deps: Pick<Deps, 'ids' | 'clock' | 'random' | 'anchoring'>,
  principal: KeyPrincipal,
  input: Static<typeof RegisterBody>,
): Promise<store.IdentityRow> {
  const commitment = commitmentFromHex(input.commitment);
  if (commitment === null) invalid('body.commitment', 'must be below the BN254 scalar field');
  const now = new Date(deps.clock.now());
  const id = deps.ids();
  try {
    const existing =
      input.externalId === undefined ? undefined : await existingUser(w, principal, input.externalId);
    const userId = existing ?? deps.ids();
    w.audit({ entityType: 'identity', entityId: id });
    const person = {
      fullName: nameOf(input.externalId),
      ...(input.externalId && { externalId: input.externalId }),
    };
    const inserted = existing === undefined ? insertUser(w, userId, person, now) : undefined;
    const identity = {
      id,
      userId,
      did: canonicalDid(input.did),
      commitment: commitmentToHex(commitment),
      externalId: input.externalId ?? null,
      attestation: input.attestation ?? null,
    };
    const [row] = await Promise.all([insertIdentity(w, deps, identity, now), inserted]);
    return row;
  } catch (error) {
    const taken = nameTaken(error);
    if (taken) fail(taken);
    throw error;
  }
}

/** Which of a new identity's names another record has, when that is why the database refused. */
export function nameTaken(error: unknown): ErrorCode | undefined {
  if (violates(error, 'identities_did_key')) return 'did_already_registered';
  if (violates(error, 'identities_commitment_key')) return 'commitment_already_registered';
  if (violates(error, 'tenant_users_external_id_key')) return 'external_id_conflict';
  return undefined;
}

export { Commitment, Did, Proof, PublicSignals } from './identities.schema.js';
export { revokeIdentitiesOfDevice } from './identities.store.js';

/** Keeps a new identity, and has it anchored where the tenant wants that. */
export async function insertIdentity(
  w: Write,
  deps: Pick<Deps, 'ids' | 'random' | 'anchoring'>,
  identity: store.NewIdentity,
  now: Date,
): Promise<store.IdentityRow> {
  const [row] = await Promise.all([
    store.insertIdentity(w, identity, now),
    anchorIdentity(w, deps, identity, now),
  ]);
  return row;
}

/** A registration's answer, with what there is to tell of the chain. */
export async function serializeRegistered(
  context: Pick<ScopedContext, 'read'> & { readonly deps: Deps },
  row: store.IdentityRow,
) {
  const metadata = await anchorOf(context, row.id);
  return { ...serializeIdentity(row), ...(metadata && { metadata }) };
}

export async function findIdentity(read: Read, id: string): Promise<store.IdentityRow> {
  return (await store.findIdentity(read, { id })) ?? fail('identity_not_found');
}

/** Revoking is final and ends the identity's sessions; doing it again changes nothing. */
export async function revokeIdentity(
  { read, write, deps }: Pick<ScopedContext, 'read' | 'write'> & { deps: Pick<Deps, 'clock'> },
  did: string,
): Promise<store.IdentityRow> {
  const identity = (await store.findIdentity(read, { did: canonicalDid(did) })) ?? fail('identity_not_found');
  if (identity.revoked_at !== null) return identity;
  const revoking = write('identity.revoked', async (w) => {
    w.audit({ entityType: 'identity', entityId: identity.id });
    const row = await store.revokeIdentity(w, identity.id, new Date(deps.clock.now()));
    return row ?? fail('identity_not_found', { because: 'revoked in between' });
  });
  return (await catchError('identity_not_found', revoking)) ?? findIdentity(read, identity.id);
}

/** The proof of a body, read strictly; 400 with every issue. `signalsField` is how the body spells the signals. */
function parse(
  input: Pick<Static<typeof VerifyBody>, 'proof' | 'publicSignals'>,
  signalsField = 'publicSignals',
): ParsedProof {
  const result = parseProof(input.proof, input.publicSignals);
  if (result.ok) return result.parsed;
  const details = result.issues.map(({ path, message }) => ({
    path: `body.${path.replace('publicSignals', signalsField)}`,
    message,
  }));
  throw new Failure('invalid_request', { details });
}

/** A well-formed proof with its place at the verifier, which is held from before anything is looked up. */
export interface ProofAtHand {
  readonly signals: ParsedProof['signals'];
  /** The verdict on the request's own proof. */
  verify(): Promise<boolean>;
  /** Gives the place back when it will not be used. */
  release(): void;
}

/**
 * Reads a proof, and takes a place at the verifier for it: 400 for what is no proof, 503 when the queue is full. For a
 * tenant who wants that, the contract has a say in the verdict, after our own verifier.
 */
export function takeProof(
  { verifier, ...deps }: Pick<Deps, 'verifier' | 'anchoring' | 'log'>,
  source: Source & { readonly tenant?: Tenant },
  input: Pick<Static<typeof VerifyBody>, 'proof' | 'publicSignals'>,
  signalsField?: string,
): ProofAtHand {
  const { tenant, ...place } = source;
  const parsed = parse(input, signalsField);
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

/** A session that is to be opened: its refresh token, and what is kept of it. */
export function prepareSession({ ids, random }: Pick<Deps, 'ids' | 'random'>) {
  const refreshToken = newRefreshToken(random);
  return { id: ids(), refreshToken, refreshHash: sha256(refreshToken) };
}

/** How long what a verification opens may last. */
export const sessionLifetimes = (now: number) => ({
  refreshExpiresAt: new Date(now + REFRESH_TTL_MS),
  sessionExpiresAt: new Date(now + SESSION_TTL_MS),
});

type ProofContext = Pick<ScopedContext, 'scope' | 'write'> & { readonly deps: Deps };

/** What a proof is to show besides being valid and fresh, and how a try is called. */
interface Question {
  readonly action: AuditAction;
  readonly refusal: ErrorCode;
  /** Who it counts for at the verifier. Default: the scope's tenant. */
  readonly source?: Source;
  /** Whose policy says whether the chain is asked, too. */
  readonly tenant?: Tenant;
  /** Whose it must be, and whether it is bound as it must be; `use` names the nonce and the time in their bound forms. */
  readonly judge: (
    signals: ParsedProof['signals'],
    use: { readonly nonce: string; readonly timestampMs: number },
  ) => Pick<store.Attempt, 'identity' | 'accepted'>;
}

/**
 * Takes a proof once, and opens a session for it. Every refusal is the same after the same work: a place at the verifier
 * before anything is looked up, one verification of the request's own proof, one write.
 */
export async function takeProofOnce(
  { deps, scope, write }: ProofContext,
  input: Static<typeof UnboundVerifyBody>,
  { action, refusal, source, tenant, judge }: Question,
): Promise<SessionTokens> {
  const proof = takeProof(
    deps,
    { ...(source ?? { name: scope.tenantId }), ...(tenant && { tenant }) },
    input,
  );
  const valid = await proof.verify();

  const now = deps.clock.now();
  const nonce = input.nonce.toLowerCase();
  // Only Unix time can be bound to; what lies before it is stale in any case.
  const timestampMs = Math.max(0, new Date(input.timestamp).getTime());
  const { identity, accepted } = judge(proof.signals, { nonce, timestampMs });
  const fresh = Math.abs(now - timestampMs) <= SKEW_MS;
  const session = prepareSession(deps);
  const attempt = {
    verificationId: deps.ids(),
    identity,
    accepted: valid && fresh && accepted,
    sessions: [session],
    ...sessionLifetimes(now),
  };
  const nonceExpiresAt = new Date(Math.min(timestampMs, now + SKEW_MS) + NONCE_KEPT_MS);
  const winner = await write(action, async (w) => {
    let outcome: { userId: string | null } | undefined;
    w.audit(() => ({
      entityType: 'verification',
      entityId: attempt.verificationId,
      status: outcome ? 'success' : 'failure',
      metadata: { method: 'zkp', result: outcome ? 'pass' : 'fail' },
    }));
    const spend = store.spendNonce(w, nonce, nonceExpiresAt);
    outcome = await store.settleVerification(w, attempt, spend, new Date(now));
    return outcome;
  });
  if (winner === undefined) {
    const because = !valid ? 'proof' : !fresh ? 'timestamp' : !accepted ? 'binding' : 'identity or nonce';
    fail(refusal, { because });
  }
  return issueTokens(deps, scope, {
    sessionId: session.id,
    userId: winner.userId,
    did: identity?.did ?? null,
    refreshToken: session.refreshToken,
  });
}

/** Checks a proof against a registered identity and opens a session. */
export function verifyIdentity(
  context: ProofContext & { readonly principal: KeyPrincipal },
  input: Static<typeof VerifyBody>,
): Promise<SessionTokens> {
  const { scope, principal } = context;
  const did = canonicalDid(input.did);
  const bare = didHash(did);
  const bareAllowed = principal.tenant.securityPolicy.allow_unbound_proofs === true;
  return takeProofOnce(context, input, {
    action: 'identity.verify',
    refusal: 'verification_failed',
    tenant: principal.tenant,
    judge([commitment, presented], use) {
      const isBare = presented === bare;
      const bound = !isBare && presented === boundSignal(bare, verifyBind({ ...scope, ...use }));
      const identity = { did, commitment: commitmentToHex(commitment), bound };
      return { identity, accepted: bound || (isBare && bareAllowed) };
    },
  });
}

// What proof pairing shares: the wire's forms, the deciding statement, the tokens.
export { settleVerification } from './identities.store.js';
