import { boundSignal, commitmentFromHex, commitmentToHex, didHash, verifyBind } from '@svc/zk/field';
import { type VerifierSlot, VerifierUnavailableError } from '@svc/zk/pool';
import { type ParsedProof, parseProof } from '@svc/zk/proof';
import type { Static } from 'typebox';
import { violates } from '../../kernel/db/db.js';
import type { Deps } from '../../kernel/deps.js';
import { Failure, fail, invalid } from '../../kernel/errors.js';
import { sha256 } from '../../kernel/keyring.js';
import type { KeyPrincipal } from '../../kernel/principal.js';
import type { ScopedContext } from '../../kernel/route.js';
import { iso, isoOrNull } from '../../kernel/schema.js';
import type { Read, Write } from '../../kernel/write.js';
import { canonicalDid } from '../../model/did.js';
import { insertUser, lockUserByExternalId, nameOf } from '../users/users.js';
import type { RegisterBody, VerifyBody } from './identity.schema.js';
import * as store from './identity.store.js';
import {
  issueTokens,
  newRefreshToken,
  REFRESH_TTL_MS,
  SESSION_TTL_MS,
  type SessionTokens,
} from './tokens.js';

const SKEW_MS = 5 * 60_000;
/** A nonce is remembered until its timestamp could no longer pass, with a margin. */
const NONCE_KEPT_MS = 10 * 60_000;

export const showIdentity = (row: store.IdentityRow) => ({
  userId: row.user_id,
  did: row.did,
  commitment: row.commitment,
  createdAt: iso(row.created_at),
});

export const showRevoked = (row: store.IdentityRow) => ({
  ...showIdentity(row),
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
  deps: Pick<Deps, 'ids' | 'clock'>,
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
    const user = { id: userId, fullName: nameOf(input.externalId), externalId: input.externalId ?? null };
    const inserted = existing === undefined ? insertUser(w, user, now) : undefined;
    const identity = {
      id,
      userId,
      did: canonicalDid(input.did),
      commitment: commitmentToHex(commitment),
      externalId: input.externalId ?? null,
      attestation: input.attestation ?? null,
    };
    const [row] = await Promise.all([store.insertIdentity(w, identity, now), inserted]);
    return row;
  } catch (error) {
    if (violates(error, 'identities_did_key')) fail('did_already_registered');
    if (violates(error, 'identities_commitment_key')) fail('commitment_already_registered');
    if (violates(error, 'tenant_users_external_id_key')) fail('external_id_conflict');
    throw error;
  }
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
  return write('identity.revoked', async (w) => {
    w.audit({ entityType: 'identity', entityId: identity.id });
    return (
      (await store.revokeIdentity(w, identity.id, new Date(deps.clock.now()))) ?? fail('identity_not_found')
    );
  });
}

function parse(input: Pick<Static<typeof VerifyBody>, 'proof' | 'publicSignals'>): ParsedProof {
  const result = parseProof(input.proof, input.publicSignals);
  if (result.ok) return result.parsed;
  throw new Failure('invalid_request', {
    details: result.issues.map(({ path, message }) => ({ path: `body.${path}`, message })),
  });
}

async function verdict(slot: VerifierSlot, parsed: ParsedProof): Promise<boolean> {
  try {
    return await slot.verify(parsed);
  } catch (error) {
    if (error instanceof VerifierUnavailableError) fail('service_unavailable', { because: error.message });
    throw error;
  }
}

/**
 * Checks a proof against a registered identity and opens a session. Every refusal is the same 401 after the same work:
 * a place at the verifier before anything is looked up, one verification of the request's own proof, one write.
 */
export async function verifyIdentity(
  {
    deps,
    scope,
    principal,
    write,
  }: Pick<ScopedContext, 'scope' | 'write'> & { deps: Deps; principal: KeyPrincipal },
  input: Static<typeof VerifyBody>,
): Promise<SessionTokens> {
  const parsed = parse(input);
  const slot = deps.verifier.reserve() ?? fail('service_unavailable', { because: 'verifier queue full' });
  const valid = await verdict(slot, parsed);

  const now = deps.clock.now();
  const did = canonicalDid(input.did);
  const nonce = input.nonce.toLowerCase();
  // Only Unix time can be bound to; what lies before it is stale in any case.
  const timestampMs = Math.max(0, new Date(input.timestamp).getTime());
  const [commitment, presented] = parsed.signals;
  const bare = didHash(did);
  const bound = presented === boundSignal(bare, verifyBind({ ...scope, nonce, timestampMs }));
  const bareAllowed = presented === bare && principal.tenant.securityPolicy.allow_unbound_proofs === true;
  const fresh = Math.abs(now - timestampMs) <= SKEW_MS;
  const sessionId = deps.ids();
  const refreshToken = newRefreshToken(deps.random);
  const attempt = {
    verificationId: deps.ids(),
    sessionId,
    refreshHash: sha256(refreshToken),
    did,
    commitment: commitmentToHex(commitment),
    nonce,
    nonceExpiresAt: new Date(Math.min(timestampMs, now + SKEW_MS) + NONCE_KEPT_MS),
    accepted: valid && fresh && (bound || bareAllowed),
    bound,
    refreshExpiresAt: new Date(now + REFRESH_TTL_MS),
    sessionExpiresAt: new Date(now + SESSION_TTL_MS),
  };
  const winner = await write('identity.verify', async (w) => {
    let outcome: { userId: string } | undefined;
    w.audit(() => ({
      entityType: 'verification',
      entityId: attempt.verificationId,
      status: outcome ? 'success' : 'failure',
      metadata: { method: 'zkp', result: outcome ? 'pass' : 'fail' },
    }));
    outcome = await store.settleVerification(w, attempt, new Date(now));
    return outcome;
  });
  if (winner === undefined) {
    const because = !valid
      ? 'proof'
      : !fresh
        ? 'timestamp'
        : !(bound || bareAllowed)
          ? 'binding'
          : 'identity or nonce';
    fail('verification_failed', { because });
  }
  return issueTokens(deps, scope, { sessionId, userId: winner.userId, did, refreshToken });
}
