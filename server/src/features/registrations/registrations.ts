import { boundSignal, commitmentFromHex, commitmentToHex, didHash, registrationBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { networkOf } from '../../base/address.js';
import { Failure, fail, invalid } from '../../base/errors.js';
import { equalSecrets } from '../../base/keyring.js';
import { DatabaseUnavailableError, violates } from '../../db/db.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import { type Actor, requireAct } from '../../http/access.js';
import type { Deps } from '../../http/deps.js';
import { deviceIdOf, memberIdOf } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import { type Read, reader, type TenantWrite, type Write } from '../../ledger/write.js';
import { codeUrl, registrationDeeplink } from '../../model/deeplink.js';
import { canonicalDid } from '../../model/did.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { onlyVisible } from '../../model/visible.js';
import { listPage, nameIn, showRow } from '../../records/list.js';
import type { DeletedRows, OldRows } from '../../records/old-rows.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { isKeyTaken, readSent } from '../attestation/attestation.js';
import { consumeCode, followCode, mintCode, UNKNOWN_CODE } from '../codes/codes.js';
import { findDevice, freeFingerprint, insertCeremonyDevice, noteAttestation } from '../devices/devices.js';
import { nameTaken, readPerson } from '../identities/identities.js';
import { readBrand } from '../profile/profile.js';
import { type ReservedProof, reserveProof } from '../proofs/proofs.js';
import { claimsEntry, externalIdTaken, guardClaims, namesOf, requireLiving } from '../users/users.js';
import { close, unlessEnded } from './closing.js';
import { admissionOf, enroll, phoneActor, type Reserved } from './enrolment.js';
import { readProfile, requireTyped } from './profile.js';
import { auditRecovery } from './recoveries/recoveries.js';
import type {
  CommitmentBody,
  CompleteBody,
  GetRegistrationQuery,
  ListRegistrationsQuery,
  OpenBody,
  PairBody,
} from './registrations.schema.js';
import * as store from './registrations.store.js';

export { eraseRegistrations } from './erasing.js';
export { ofPerson, type Person } from './of-person.js';

const TTL_MS = 30 * 60_000;
const EXPIRY_BATCH_SIZE = 100;

type Phone = Pick<BaseContext, 'deps' | 'address' | 'writeIn'>;

const isOpen = ({ state }: Pick<store.SessionRow, 'state'>) => state.startsWith('awaiting_');

/** The session as its tenant sees it, without hashes, codes and nonces. Its state is `expired` as soon as its time is over. */
function serializeSession(row: store.SessionRow, now: number) {
  return {
    id: row.id,
    environment: row.environment,
    state: isOpen(row) && row.expires_at.getTime() <= now ? 'expired' : row.state,
    profile: row.profile,
    device_id: row.device_id,
    did: row.did,
    commitment: row.commitment,
    user_id: row.user_id,
    recovers: row.recovers,
    completes_at: isoOrNull(row.completes_at),
    contested_at: isoOrNull(row.contested_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    expires_at: iso(row.expires_at),
  };
}

/**
 * Whether a ceremony for an existing person is a recovery. 403 if the caller may not do what it is, 409 if the person has as many
 * identities as the account allows.
 */
async function recovers(w: Write, principal: Actor, userId: string, now: number): Promise<boolean> {
  await requireLiving(w, userId);
  const { had, count } = await readPerson(w, userId);
  const { protects, mostIdentities } = admissionOf(principal.tenant.securityPolicy);
  const isRecovery = had && protects;
  requireAct(isRecovery ? 'recover' : 'add_phone', principal, w.scope.environment, now);
  if (isRecovery) return true;
  if (count >= mostIdentities) fail('identity_limit_reached');
  return false;
}

/** A step's code as a QR code shows it. */
function linksOf({ config }: Pick<Deps, 'config'>, ...step: Parameters<typeof registrationDeeplink>) {
  const deeplink = registrationDeeplink(...step);
  return { deeplink, url: codeUrl(config.baseUrl, deeplink) };
}

export async function openSession(
  w: TenantWrite,
  deps: Pick<Deps, 'clock' | 'config' | 'ids' | 'keyring' | 'random'>,
  principal: Actor,
  { profile, userId }: Static<typeof OpenBody>,
) {
  if (userId !== undefined && Object.keys(profile ?? {}).length > 0)
    invalid('body.profile', 'must be absent or empty beside userId');
  if (userId !== undefined && deviceIdOf(principal) !== null)
    fail('insufficient_scopes', {
      message: 'A device can only register new people, so `userId` is not allowed.',
    });
  const isDevice = deviceIdOf(principal) !== null;
  if (isDevice) requireTyped(profile ?? {});
  const person = readProfile(profile ?? null);
  const { externalId, primaryDeviceId } = person;
  const now = deps.clock.now();
  const id = deps.ids();
  // The e-mail of a device is no claim until somebody confirms it.
  const claims = !isDevice && (await guardClaims(w, principal, now, person));
  const metadata = { ...(userId && { userId }), ...claimsEntry(claims) };
  w.audit({ entityType: 'registration', entityId: id, metadata });
  const session: store.NewSession = {
    id,
    profile: userId === undefined ? (profile ?? null) : null,
    userId: userId ?? null,
    recovers: userId !== undefined && (await recovers(w, principal, userId, now)),
    openedBy: memberIdOf(principal),
    openedByDevice: deviceIdOf(principal),
    expiresAt: new Date(now + TTL_MS),
  };
  const [taken, row, pair] = await Promise.all([
    externalId === undefined ? false : externalIdTaken(w, externalId),
    store.insertSession(w, session, new Date(now)),
    mintCode(w, deps, 'pair', id),
    primaryDeviceId && findDevice(w, primaryDeviceId),
  ]);
  if (taken) fail('external_id_conflict');
  return {
    session: serializeSession(row, now),
    pair: { ...pair, ...linksOf(deps, 'pair', id, pair.code) },
  };
}

const requireSession = async (read: Read, id: string) =>
  (await store.findSession(read, id)) ?? fail('session_not_found');

/** A session that the caller may see: a device those that it opened. */
async function requireOwnSession(read: Read, principal: object, id: string): Promise<store.SessionRow> {
  const row = await requireSession(read, id);
  const deviceId = deviceIdOf(principal);
  return deviceId === null || row.opened_by_device === deviceId ? row : fail('session_not_found');
}

/** A session, with the name of its person if the query includes it. */
export async function showSession(
  context: {
    readonly read: Read;
    readonly deps: Pick<Deps, 'clock'>;
    readonly query: Static<typeof GetRegistrationQuery>;
    readonly principal: object;
  },
  id: string,
) {
  const row = await requireOwnSession(context.read, context.principal, id);
  return showRow(context, shownAt(context.deps.clock.now()), row);
}

type ListContext = Pick<ScopedContext, 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'history'>;
  query: Static<typeof ListRegistrationsQuery>;
};

/** Sessions as they are shown, also with the names of their people. */
const shownAt = (now: number) => ({
  show: (row: store.SessionRow) => serializeSession(row, now),
  async showNames(read: Read, rows: readonly store.SessionRow[]) {
    const names = await namesOf(
      read,
      rows.map((row) => row.user_id),
    );
    return rows.map((row) => ({ ...serializeSession(row, now), user_name: nameIn(names, row.user_id) }));
  },
});

export function sessionList(context: ListContext) {
  const now = context.deps.clock.now();
  return listPage(context, 'registrations', {
    fetch: (read, query, count, before) => store.listSessions(read, query, count, before, new Date(now)),
    position: (row) => row.id,
    ...shownAt(now),
  });
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_COUNTED = 10_000;

/** How far the registrations of the last 30 days came. */
export const readFunnel = (read: Read, now: number): Promise<store.Steps> =>
  store.countSteps(read, now - 30 * DAY_MS, MAX_COUNTED);

/** How many registrations were completed since a moment. They were opened at most a day earlier, except for recoveries. */
export const countCompleted = (read: Read, since: number): Promise<number> =>
  store.countCompleted(read, { opened: since - DAY_MS, since }, MAX_COUNTED);

/** Ends an open session or a pending recovery. An ended one does not change. */
export async function abandonSession(
  {
    read,
    write,
    deps,
    principal,
  }: ScopedContext & { readonly deps: Pick<Deps, 'clock'>; readonly principal: Actor },
  id: string,
) {
  const now = deps.clock.now();
  const session = serializeSession(await requireOwnSession(read, principal, id), now);
  const isRecovery = session.state === 'pending_recovery';
  if (!isOpen(session) && !isRecovery) return session;
  const abandoned = await unlessEnded(
    write('registration.abandoned', async (w) => {
      if (isRecovery) requireAct('end_recovery', principal, w.scope.environment, now);
      const row = await close(w, id, isRecovery ? 'cancel' : 'abandon', new Date(now));
      if (isRecovery) auditRecovery(w, 'identity.recovery_cancelled', row);
      return serializeSession(row, now);
    }),
  );
  return abandoned ?? serializeSession(await requireSession(read, id), deps.clock.now());
}

/** Step 1: a phone joins the session and becomes a device of the tenant. */
export async function pairDevice({ deps, address, writeIn }: Phone, input: Static<typeof PairBody>) {
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const fingerprint = isFingerprint(input.fingerprint) ? input.fingerprint : null;
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    followCode(deps, 'pair', input.pair_code, now, ({ scope, subjectId: id }) =>
      store.findPairing(reader(deps.db, scope), { id, sessionId }, fingerprint, now),
    ),
  );
  if (opened === undefined || fingerprint === null)
    return fail('pair_failed', { because: 'code, session or fingerprint' });
  const { session_id, code } = opened;
  const deviceId = deps.ids();
  const brand = await readBrand(reader(deps.db, code.scope));
  const pair = async (w: TenantWrite) => {
    w.audit({ entityType: 'registration', entityId: session_id, metadata: { deviceId } });
    const phone = { fingerprint, attestationKind: input.attestation_kind };
    // Lock the session before its code and its device, in the same order as when it ends.
    const [moved, consumed, , , minted] = await Promise.all([
      store.moveSession(w, session_id, 'pair', { deviceId }, now),
      consumeCode(w, code.hash, 'pair', now),
      freeFingerprint(w, fingerprint, now),
      insertCeremonyDevice(w, deviceId, phone, now),
      mintCode(w, deps, 'enroll', session_id),
    ]);
    if (!consumed || !moved) fail('pair_failed', { because: 'used concurrently' });
    return { step: 'enroll', ...minted, ...linksOf(deps, 'enroll', session_id, minted.code) };
  };
  try {
    const next = await writeIn(
      code.scope,
      phoneActor(deviceId),
      'registration.device_paired',
      pair,
      'tenant',
    );
    const { tenantId: tenant_id, environment } = code.scope;
    return {
      session_id,
      device_id: deviceId,
      tenant_id,
      company_name: onlyVisible(code.companyName),
      accent_color: brand.accentColor,
      logo_url: brand.logoUrl,
      environment,
      next,
    };
  } catch (error) {
    if (violates(error, 'devices_fingerprint_key'))
      fail('pair_failed', { because: 'fingerprint registered concurrently' });
    throw error;
  }
}

/** Step 2: stores the phone's commitment. The DID and commitment are not reserved until the proof is accepted. */
export async function submitCommitment(
  { deps, address, writeIn }: Phone,
  input: Static<typeof CommitmentBody>,
) {
  const commitment = commitmentFromHex(input.commitment);
  if (commitment === null) invalid('body.commitment', 'must be below the BN254 scalar field');
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    followCode(deps, 'enroll', input.enroll_code, now, ({ scope, subjectId: id }) =>
      store.findEnrolling(reader(deps.db, scope), { id, sessionId }, now),
    ),
  );
  if (opened === undefined) return fail('enroll_failed', { because: 'code or session' });
  const { session_id, device_id, code } = opened;
  const challengeNonce = deps.random.bytes(16).toString('hex');
  const learned = { did: canonicalDid(input.did), commitment: commitmentToHex(commitment), challengeNonce };
  const next = await writeIn(
    code.scope,
    phoneActor(device_id),
    'registration.commitment_submitted',
    async (w) => {
      w.audit({ entityType: 'registration', entityId: session_id });
      const attestationKind = input.attestation_kind;
      const [moved, consumed, minted] = await Promise.all([
        store.moveSession(w, session_id, 'commit', learned, now),
        consumeCode(w, code.hash, 'enroll', now),
        mintCode(w, deps, 'verify', session_id),
        device_id && attestationKind && noteAttestation(w, device_id, attestationKind, now),
      ]);
      if (!consumed || !moved) fail('enroll_failed', { because: 'used concurrently' });
      const links = linksOf(deps, 'verify', session_id, minted.code, challengeNonce);
      return { step: 'verify', ...minted, ...links, challenge_nonce: challengeNonce };
    },
    'tenant',
  );
  return { session_id, next };
}

/**
 * Step 3: a valid proof creates the user and the identity, or opens a recovery. Each attempt is reserved before its proof is
 * verified, so at most five proofs per code are verified. Every failure returns the same 404 after three statements and one
 * verification.
 */
export async function complete(
  context: Phone & Pick<BaseContext, 'onClose'>,
  input: Static<typeof CompleteBody>,
) {
  const { deps, address, writeIn } = context;
  const given = { proof: input.proof, publicSignals: input.public_signals };
  const source = { name: networkOf(address), keyless: true, confirm: true };
  const proof = reserveProof(deps, source, given, { publicSignals: 'public_signals' });
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const attempts = unaudited(deps.db, 'registration attempts');
  let opened: Reserved | undefined;
  try {
    opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
      followCode(deps, 'verify', input.verify_code, now, ({ scope, subjectId: id, policy }) =>
        store.reserveAttempt(attempts, scope, { id, sessionId }, admissionOf(policy), now),
      ),
    );
    const valid = await proof.verify();
    const expected = opened ?? UNKNOWN_SESSION;
    const enrolment = { ...expected.code.scope, challenge: expected.challenge_nonce };
    const key = input.attestation && (await readSent(deps, enrolment, input.attestation));
    const bound = isBound(expected, proof, input.challenge_nonce, key);
    if (key !== undefined && 'refused' in key)
      deps.log.info({ because: key.refused }, 'an attestation key was rejected');
    else if (valid && bound && opened?.completable) return await enroll(context, opened, key, now);
  } catch (error) {
    if (opened && isUnavailable(error)) await returnAttempt(deps, opened);
    const isRejection = error instanceof Failure && error.code === 'verify_failed';
    if (!isRejection && nameTaken(error) === undefined && !isKeyTaken(error)) throw error;
  } finally {
    proof.release();
  }
  const { scope, subjectId } = opened?.code ?? UNKNOWN_CODE;
  const isLast = await store.failAttempt(attempts, scope, subjectId);
  if (opened && isLast) await giveUp(deps, writeIn, opened, now);
  return fail('verify_failed', { because: 'code, challenge, commitment, proof or a duplicate' });
}

type Expected = Pick<Reserved, 'code' | 'session_id' | 'did' | 'commitment' | 'challenge_nonce'>;

/** Stands in for the session of an unknown code, so the same work is done. No proof is bound to it. */
const UNKNOWN_SESSION: Expected = {
  code: UNKNOWN_CODE,
  session_id: 'none',
  did: 'did:svc:00',
  commitment: 'none',
  challenge_nonce: 'none',
};

function isBound(
  expected: Expected,
  { signals }: Pick<ReservedProof, 'signals'>,
  challengeNonce: string,
  key: { readonly evidenceHash: string } | undefined,
): boolean {
  const { session_id: sessionId, did, commitment, challenge_nonce } = expected;
  const { scope } = expected.code;
  const evidenceHash = key?.evidenceHash;
  const bind = registrationBind({ ...scope, sessionId, challengeNonce: challenge_nonce, evidenceHash });
  const checks = [
    equalSecrets(challengeNonce, challenge_nonce),
    commitmentToHex(signals[0]) === commitment,
    signals[1] === boundSignal(didHash(did), bind),
  ];
  return checks.every(Boolean);
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  (error instanceof Failure && error.code === 'service_unavailable');

/** Returns the attempt if the proof could not be verified. If the database is down, the attempt stays counted. */
async function returnAttempt({ db, log }: Pick<Deps, 'db' | 'log'>, opened: Reserved): Promise<void> {
  try {
    await store.returnAttempt(unaudited(db, 'registration attempts'), opened.code.scope, opened.session_id);
  } catch (err) {
    log.warn({ err, registration: opened.session_id }, 'an attempt could not be returned');
  }
}

/** The fifth failed attempt ends the session. */
async function giveUp(
  deps: Pick<Deps, 'db' | 'log'>,
  writeIn: Phone['writeIn'],
  opened: Reserved,
  now: Date,
): Promise<void> {
  const { session_id: id, device_id } = opened;
  const abandoned = await unlessEnded(
    writeIn(opened.code.scope, phoneActor(device_id), 'registration.abandoned', (w) =>
      close(w, id, 'abandon', now, { status: 'failure', metadata: { reason: 'five_failures' } }),
    ),
  );
  if (abandoned) deps.log.info({ registration: id }, 'abandoned after five failures');
}

/**
 * Closes overdue sessions one by one, for at most half a minute. Their devices are revoked, and each closing is in the
 * audit log.
 */
export async function expireSessions(
  deps: Pick<Deps, 'db' | 'write'> & BatchLimits,
  batchSize = EXPIRY_BATCH_SIZE,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const actor = { type: 'system', id: null } as const;
  await inBatches(deps, async () => {
    const rows = await store.listExpired(deps.db, now, batchSize);
    for (const row of rows) {
      const scope: Scope = { tenantId: row.tenant_id, environment: row.environment };
      const request = { scope, actor, action: 'registration.expired' } as const;
      await unlessEnded(deps.write(request, (w) => close(w, row.id, 'expire', now)));
    }
    return rows.length === batchSize;
  });
}

/** Counts the registrations that have ended from before that moment, at most about `limit`. */
export const countOldRegistrations = (read: Read, before: Date, limit: number): Promise<number> =>
  store.countOld(read, before, limit);

/** Deletes a batch of the registrations that have ended from before a moment. */
export const deleteOldRegistrations = (w: Write, old: OldRows): Promise<DeletedRows> =>
  store.deleteOld(w, old);

/**
 * Ends every open ceremony and pending recovery of a chain after a restore: their codes, attempts and objections may have been used
 * since the backup. Returns how many.
 */
export async function abandonRestored(
  deps: Pick<Deps, 'clock' | 'db' | 'write'>,
  scope: Scope,
  batchSize = EXPIRY_BATCH_SIZE,
): Promise<number> {
  const now = new Date(deps.clock.now());
  const request = { scope, actor: { type: 'system', id: null }, action: 'registration.abandoned' } as const;
  let ended = 0;
  for (;;) {
    const rows = await store.listOpen(reader(deps.db, scope), batchSize, now);
    await Promise.all(
      rows.map(({ id, state }) =>
        unlessEnded(
          deps.write(request, async (w) => {
            const isRecovery = state === 'pending_recovery';
            const row = await close(w, id, isRecovery ? 'cancel' : 'abandon', now);
            if (isRecovery) auditRecovery(w, 'identity.recovery_cancelled', row);
          }),
        ),
      ),
    );
    ended += rows.length;
    if (rows.length < batchSize) return ended;
  }
}
