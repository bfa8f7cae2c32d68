import { commitmentFromHex, commitmentToHex } from '@svc/zk/field';
import type { Static } from 'typebox';
import { catchError, type ErrorCode, Failure, fail, invalid } from '../../base/errors.js';
import { violates } from '../../db/db.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import type { KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { anchorIdentity, anchorOf } from '../anchors/anchors.js';
import { deleteKeysOf } from '../attestation/attestation.js';
import { insertUser, lockUserByExternalId, nameOf } from '../users/users.js';
import { type Enrolled, enrol, enrolledMetadata, recordCommitment } from './commitments/commitments.js';
import type { NewCommitment } from './commitments/commitments.store.js';
import { type Opening, openEnrolment, releaseCommitments } from './commitments/pending.js';
import { requireUnspent } from './commitments/spent.js';
import type { RegisterBody } from './identities.schema.js';
import * as store from './identities.store.js';

export {
  type Enrolled,
  enrol,
  enrolledMetadata,
  enrolmentOf,
  listCommitments,
} from './commitments/commitments.js';
export { Enrolment } from './commitments/commitments.schema.js';
export { addLeaves } from './commitments/leaf-chains.js';
export { type IdentityEvent, LeafCheck } from './commitments/leaf-check.js';
export { readOpening } from './commitments/pending.js';
export { traceEnrolment } from './commitments/trace.js';
export { CONTESTANTS, mayContest } from './contestants.js';
export { eraseIdentities } from './erasing.js';
export { RevokeReply } from './identities.schema.js';
export { listUnrevoked } from './persons.js';
export { cooldownMs, inForceFrom, mostIdentities } from './policy.js';

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

/**
 * The user with this externalId; undefined if there is none. Fails if the user already has an active identity, or ever had one and
 * the account protects identities.
 */
async function existingUser(
  w: Write,
  principal: KeyPrincipal,
  externalId: string,
): Promise<string | undefined> {
  const user = await lockUserByExternalId(w, externalId);
  if (user === undefined) return undefined;
  requireAct('add_phone', principal, w.scope.environment, 0);
  const { had, count } = await store.readPerson(w, user.id);
  if (had && principal.tenant.securityPolicy.protect_identities === true) fail('recovery_required');
  if (count > 0) {
    fail('external_id_conflict', {
      message: 'The user with this externalId already has an active identity.',
    });
  }
  return user.id;
}

/** Binds a DID and a commitment to a user. Each is unique within the tenant and environment. */
export async function registerIdentity(
  w: Write,
  deps: Pick<Deps, 'ids' | 'clock' | 'random' | 'anchoring' | 'keyring'>,
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
    const enrolled = enrol(deps, w.scope, {
      identityId: id,
      userId,
      did: canonicalDid(input.did),
      commitment: commitmentToHex(commitment),
    });
    w.audit({ entityType: 'identity', entityId: id, metadata: enrolledMetadata(enrolled) });
    const person = {
      fullName: nameOf(input.externalId),
      ...(input.externalId && { externalId: input.externalId }),
    };
    const inserted = existing === undefined ? insertUser(w, userId, person, now) : undefined;
    const source = { externalId: input.externalId ?? null, attestation: input.attestation ?? null };
    const [row] = await Promise.all([insertIdentity(w, deps, enrolled, source, now), inserted]);
    return row;
  } catch (error) {
    const taken = nameTaken(error);
    if (taken && !(error instanceof Failure)) fail(taken);
    throw error;
  }
}

const TAKEN: ReadonlySet<ErrorCode> = new Set([
  'did_already_registered',
  'commitment_already_registered',
  'external_id_conflict',
]);

/** The error for a new identity whose names somebody has, or an erased person had; undefined for any other error. */
export function nameTaken(error: unknown): ErrorCode | undefined {
  if (violates(error, 'identities_did_key')) return 'did_already_registered';
  if (violates(error, 'identities_commitment_key') || violates(error, 'identity_commitments_commitment_key'))
    return 'commitment_already_registered';
  return error instanceof Failure && TAKEN.has(error.code) ? error.code : undefined;
}

/** Inserts an identity with its first commitment and, if the tenant uses the blockchain, queues it for anchoring. */
export async function insertIdentity(
  w: Write,
  deps: Pick<Deps, 'ids' | 'random' | 'anchoring' | 'keyring'>,
  enrolled: Enrolled,
  source: store.IdentitySource,
  now: Date,
): Promise<store.IdentityRow> {
  const { identityId: id, userId, did, commitment } = enrolled;
  const identity = { id, userId, did, commitment };
  const [row] = await Promise.all([
    store.insertIdentity(w, { ...identity, ...source }, now),
    recordCommitment(w, enrolled, { version: 1, authorization: source.authorization ?? null }, now),
    // One that may never come into force is anchored when it does.
    source.inForceAt === 'infinity' ? undefined : anchorIdentity(w, deps, identity, now),
    requireUnspent(w, deps, identity),
  ]);
  return row;
}

/** A commitment that takes the place of another one. */
interface Replacement extends Pick<NewCommitment, 'version' | 'authorization'> {
  /** The commitment that the identity has. */
  readonly replaced: string;
}

/** Gives an identity, whose row is locked, the commitment of `renewed`, and ends what depends on the old one. */
export async function replaceSecret(
  w: Write,
  deps: Pick<Deps, 'ids' | 'random' | 'anchoring' | 'effects' | 'keyring'>,
  renewed: Enrolled,
  { replaced, version, authorization }: Replacement,
  now: Date,
): Promise<void> {
  const { identityId: id, did, commitment } = renewed;
  const [isReplaced] = await Promise.all([
    store.replaceCommitment(w, { id, from: replaced, to: commitment }),
    recordCommitment(w, renewed, { version, authorization }, now),
    requireUnspent(w, deps, { commitment }),
    anchorIdentity(w, deps, { id, did, commitment }, now),
    deps.effects.secretReplaced(w, id, now),
  ]);
  if (!isReplaced) throw new Error('A locked identity has another commitment');
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

export const findByDid = (read: Read, did: string): Promise<store.IdentityRow | undefined> =>
  store.findIdentity(read, { did });

/** Revokes an identity and ends what depends on it. Undefined if it was revoked before. */
export async function endIdentity(
  w: Write,
  { effects }: Pick<Deps, 'effects'>,
  id: string,
  revocation: store.Revocation,
): Promise<store.IdentityRow | undefined> {
  // Lock the identity first. Sessions that a concurrent verification opens are then visible and end too.
  const [row] = await Promise.all([
    store.revokeIdentity(w, id, revocation),
    effects.identitiesRevoked(w, { ids: [id] }, revocation.now),
  ]);
  return row;
}

/** Revokes an identity permanently and ends its sessions. Repeating it changes nothing. */
export async function revokeIdentity(
  {
    read,
    write,
    deps,
    principal,
  }: Pick<ScopedContext, 'read' | 'write'> & {
    readonly deps: Pick<Deps, 'clock' | 'effects'>;
    /** Who asks. Absent: the service itself. */
    readonly principal?: Actor;
  },
  { did, keyId }: { readonly did: string; readonly keyId: string | null },
): Promise<store.IdentityRow> {
  const identity = (await store.findIdentity(read, { did: canonicalDid(did) })) ?? fail('identity_not_found');
  if (identity.revoked_at !== null) return identity;
  const revoking = write('identity.revoked', async (w) => {
    w.audit({ entityType: 'identity', entityId: identity.id });
    const now = new Date(deps.clock.now());
    if (principal !== undefined && (await store.isOfRecovery(w, identity.id)))
      requireAct('end_recovery', principal, w.scope.environment, now.getTime());
    return (
      (await endIdentity(w, deps, identity.id, { now, keyId })) ??
      fail('identity_not_found', { because: 'revoked concurrently' })
    );
  });
  return (await catchError('identity_not_found', revoking)) ?? findIdentity(read, identity.id);
}

const LOCKED_OUT_SHOWN = 5;
const LOCKED_OUT_MS = 7 * 24 * 60 * 60_000;

/** People whose last identity an API key has revoked in the last week, newest first. A stolen key can do that. */
export async function lockedOut(read: Read, now: number) {
  const rows = await store.listLockedOut(read, new Date(now - LOCKED_OUT_MS), LOCKED_OUT_SHOWN);
  return rows.map((row) => ({
    userId: row.user_id,
    userName: row.user_name,
    revokedAt: iso(row.revoked_at),
    keyName: row.key_name,
  }));
}

const auditRevoked = (w: Write, ids: readonly string[], by: 'device' | 'recovery'): void => {
  for (const entityId of ids)
    w.audit({ action: 'identity.revoked', entityType: 'identity', entityId, metadata: { by } });
};

/** Revokes the identities that were created on a device, and ends what depends on them. */
export async function revokeIdentitiesOfDevice(
  w: Write,
  { effects }: Pick<Deps, 'effects'>,
  deviceId: string,
  now: Date,
): Promise<void> {
  const ids = await store.revokeIdentitiesOfDevice(w, deviceId, now);
  if (ids.length === 0) return;
  auditRevoked(w, ids, 'device');
  await effects.identitiesRevoked(w, { ids }, now);
}

/** Whether a person ever had an identity, and how many they have. */
export const readPerson = (read: Read, userId: string): Promise<store.PersonIdentities> =>
  store.readPerson(read, userId);

/**
 * Puts the identity of a recovery in force, revokes all others of its person, and ends what depends on them. Undefined, and nothing is
 * changed, if it was revoked before that.
 * @throws Failure `identity_changed` if it is not the one that the recovery was opened for
 */
export async function replaceIdentities(
  w: Write,
  deps: Pick<Deps, 'ids' | 'log' | 'random' | 'anchoring' | 'effects'>,
  identityId: string,
  opening: Opening,
  now: Date,
): Promise<Enrolled | undefined> {
  const row = await store.putInForce(w, identityId, now);
  if (row === undefined) return undefined;
  const { user_id: userId, did, commitment } = row;
  const [revoked, enrolled] = await Promise.all([
    store.revokeOthers(w, row, now),
    openEnrolment(deps, w, { identityId, userId, did, commitment }, opening),
    anchorIdentity(w, deps, row, now),
  ]);
  auditRevoked(w, revoked, 'recovery');
  // After the identities are locked, so that sessions of verifications that committed before are visible.
  await deps.effects.identitiesRevoked(w, { ids: revoked, recoveredUserId: userId }, now);
  return enrolled;
}

/** Deletes the identity of a recovery that ended without success. Its DID and commitment can be used again. */
export async function discardIdentity(w: Write, id: string): Promise<void> {
  await Promise.all([releaseCommitments(w, id), deleteKeysOf(w, [id]), store.deletePending(w, id)]);
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

/** The active person of an identity that is in force. */
export const findActivePerson = (read: Read, identityId: string, now: Date): Promise<string | undefined> =>
  store.findActivePerson(read, identityId, now);
