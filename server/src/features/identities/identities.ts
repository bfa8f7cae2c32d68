import { boundSignal, commitmentFromHex, commitmentToHex, didHash, verifyBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { catchError, type ErrorCode, fail, invalid } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { anchorIdentity, anchorOf } from '../anchors/anchors.js';
import { endGrantsOfDevice, endGrantsOfIdentity } from '../openid-provider/openid-provider.js';
import { type ProofContext, verifyProofOnce } from '../proofs/proofs.js';
import { endSessionsOfDevice, endSessionsOfIdentity, type SessionTokens } from '../sessions/sessions.js';
import { insertUser, lockUserByExternalId, nameOf } from '../users/users.js';
import type { RegisterBody, VerifyBody } from './identities.schema.js';
import * as store from './identities.store.js';

export { Commitment, Did } from './identities.schema.js';

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

/** The user with this externalId; undefined if there is none. Fails if the user already has an active identity. */
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

/** Binds a DID and a commitment to a user. Each is unique within the tenant and environment. */
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

/** The error for a violated unique constraint of a new identity; undefined for any other error. */
export function nameTaken(error: unknown): ErrorCode | undefined {
  if (violates(error, 'identities_did_key')) return 'did_already_registered';
  if (violates(error, 'identities_commitment_key')) return 'commitment_already_registered';
  if (violates(error, 'tenant_users_external_id_key')) return 'external_id_conflict';
  return undefined;
}

/** Inserts an identity and, if the tenant uses the blockchain, queues it for anchoring. */
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

/** The response to a registration, with the state of its anchoring. */
export async function serializeRegistered(
  context: Pick<ScopedContext, 'read'> & { readonly deps: Pick<Deps, 'anchoring' | 'timers'> },
  row: store.IdentityRow,
) {
  const metadata = await anchorOf(context, row.id);
  return { ...serializeIdentity(row), ...(metadata && { metadata }) };
}

export async function findIdentity(read: Read, id: string): Promise<store.IdentityRow> {
  return (await store.findIdentity(read, { id })) ?? fail('identity_not_found');
}

/** Revokes an identity permanently and ends its sessions. Repeating it changes nothing. */
export async function revokeIdentity(
  { read, write, deps }: Pick<ScopedContext, 'read' | 'write'> & { deps: Pick<Deps, 'clock'> },
  did: string,
): Promise<store.IdentityRow> {
  const identity = (await store.findIdentity(read, { did: canonicalDid(did) })) ?? fail('identity_not_found');
  if (identity.revoked_at !== null) return identity;
  const revoking = write('identity.revoked', async (w) => {
    w.audit({ entityType: 'identity', entityId: identity.id });
    const now = new Date(deps.clock.now());
    // Lock the identity first. Sessions that a concurrent verification opens are then visible and end too.
    const [row] = await Promise.all([
      store.revokeIdentity(w, identity.id, now),
      endSessionsOfIdentity(w, identity.id, now),
      endGrantsOfIdentity(w, identity.id, now),
    ]);
    return row ?? fail('identity_not_found', { because: 'revoked concurrently' });
  });
  return (await catchError('identity_not_found', revoking)) ?? findIdentity(read, identity.id);
}

/** Revokes the identities that were created on a device, then ends their sessions. */
export async function revokeIdentitiesOfDevice(w: Write, deviceId: string, now: Date): Promise<void> {
  await Promise.all([
    store.revokeIdentitiesOfDevice(w, deviceId, now),
    endSessionsOfDevice(w, deviceId, now),
    endGrantsOfDevice(w, deviceId, now),
  ]);
}

/** Verifies a proof against a registered identity and opens a session. */
export function verifyIdentity(
  context: ProofContext & { readonly principal: KeyPrincipal },
  input: Static<typeof VerifyBody>,
): Promise<SessionTokens> {
  const { scope, principal } = context;
  const did = canonicalDid(input.did);
  const bare = didHash(did);
  const bareAllowed = principal.tenant.securityPolicy.allow_unbound_proofs === true;
  return verifyProofOnce(context, input, {
    action: 'identity.verify',
    failure: 'verification_failed',
    tenant: principal.tenant,
    authorize([commitment, presented], use) {
      const isBare = presented === bare;
      const bound = !isBare && presented === boundSignal(bare, verifyBind({ ...scope, ...use }));
      const identity = { did, commitment: commitmentToHex(commitment), bound };
      if (isBare) return { identity, rejected: bareAllowed ? null : 'unbound' };
      return { identity, rejected: bound ? null : 'wrong_binding' };
    },
  });
}

const DAY_MS = 24 * 60 * 60_000;
const WRONG_NUMBERS_PER_DAY = 3;
const LOCK_MS = 60 * 60_000;

/** Counts a wrong number beside a valid proof. True if the identity's numbers are locked from now on. */
export const countWrongNumber = (w: Write, did: string, now: Date): Promise<boolean> =>
  store.countWrongNumber(w, did, {
    now,
    since: new Date(now.getTime() - DAY_MS),
    most: WRONG_NUMBERS_PER_DAY,
    lockedUntil: new Date(now.getTime() + LOCK_MS),
  });

/** Whether an active person has this identity. */
export const isActiveIdentity = (read: Read, did: string, commitment: string): Promise<boolean> =>
  store.isActiveIdentity(read, did, commitment);
