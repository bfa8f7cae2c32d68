import { boundSignal, commitmentFromHex, commitmentToHex, didHash, registrationBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { networkOf } from '../../base/address.js';
import { catchError, Failure, fail, invalid } from '../../base/errors.js';
import { equalSecrets } from '../../base/keyring.js';
import { DatabaseUnavailableError, violates } from '../../db/db.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import { type AuditEntry, type Read, reader, type TenantWrite, type Write } from '../../ledger/write.js';
import { registrationDeeplink } from '../../model/deeplink.js';
import { canonicalDid } from '../../model/did.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { onlyVisible } from '../../model/visible.js';
import { listPage } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { consumeCode, followCode, forgetCodes, mintCode, type OfCode, UNKNOWN_CODE } from '../codes/codes.js';
import {
  completeCeremonyDevice,
  findDevice,
  freeFingerprint,
  insertCeremonyDevice,
  noteAttestation,
  revokePhone,
  serializeDevice,
} from '../devices/devices.js';
import { insertIdentity, nameTaken } from '../identities/identities.js';
import { readBrand } from '../profile/profile.js';
import { type ReservedProof, reserveProof } from '../proofs/proofs.js';
import { externalIdTaken, insertUser, serializeUser } from '../users/users.js';
import { readProfile } from './profile.js';
import type {
  CommitmentBody,
  CompleteBody,
  ListRegistrationsQuery,
  PairBody,
} from './registrations.schema.js';
import * as store from './registrations.store.js';

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
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    expires_at: iso(row.expires_at),
  };
}

export async function openSession(
  w: TenantWrite,
  deps: Pick<Deps, 'clock' | 'ids' | 'keyring' | 'random'>,
  profile: Record<string, unknown> | undefined,
) {
  const { externalId, primaryDeviceId } = readProfile(profile ?? null);
  const now = deps.clock.now();
  const id = deps.ids();
  w.audit({ entityType: 'registration', entityId: id });
  const insert = store.insertSession(
    w,
    { id, profile: profile ?? null, expiresAt: new Date(now + TTL_MS) },
    new Date(now),
  );
  const [taken, row, pair] = await Promise.all([
    externalId === undefined ? false : externalIdTaken(w, externalId),
    insert,
    mintCode(w, deps, 'pair', id),
    primaryDeviceId && findDevice(w, primaryDeviceId),
  ]);
  if (taken) fail('external_id_conflict');
  return {
    session: serializeSession(row, now),
    pair: { ...pair, deeplink: registrationDeeplink('pair', id, pair.code) },
  };
}

export async function readSession(read: Read, { clock }: Pick<Deps, 'clock'>, id: string) {
  const row = (await store.findSession(read, id)) ?? fail('session_not_found');
  return serializeSession(row, clock.now());
}

type ListContext = Pick<ScopedContext, 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'history'>;
  query: Static<typeof ListRegistrationsQuery>;
};

export function sessionList(context: ListContext) {
  const now = context.deps.clock.now();
  return listPage(context, 'registrations', {
    fetch: (read, query, count, before) => store.listSessions(read, query, count, before, new Date(now)),
    show: (row) => serializeSession(row, now),
    position: (row) => row.id,
  });
}

/** Ends an open session. An ended one does not change. */
export async function abandonSession(
  { read, write, deps }: ScopedContext & { deps: Pick<Deps, 'clock'> },
  id: string,
) {
  const now = deps.clock.now();
  const session = await readSession(read, deps, id);
  if (!isOpen(session)) return session;
  const abandoned = await unlessEnded(
    write('registration.abandoned', async (w) =>
      serializeSession(await close(w, id, 'abandon', new Date(now)), now),
    ),
  );
  return abandoned ?? readSession(read, deps, id);
}

/**
 * Ends a session without success: deletes its codes and revokes its device. A session ends only once. Single failed
 * attempts are not audited, so the audit row of the end has their number.
 */
async function close(
  w: Write,
  id: string,
  move: 'abandon' | 'expire',
  now: Date,
  how: Pick<AuditEntry, 'status' | 'metadata'> = {},
): Promise<store.SessionRow> {
  let moved: store.SessionRow | undefined;
  w.audit(() => ({
    entityType: 'registration',
    entityId: id,
    ...how,
    metadata: { ...how.metadata, tries: moved?.failures ?? 0 },
  }));
  [moved] = await Promise.all([
    store.moveSession(w, id, move, {}, now),
    forgetCodes(w, id),
    revokePhone(w, id, now),
  ]);
  return moved ?? fail('session_not_found', { because: 'ended concurrently' });
}

/** Undefined if another request ended the session first. Nothing is then written. */
const unlessEnded = <T>(closing: Promise<T>) => catchError('session_not_found', closing);

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
    return { step: 'enroll', ...minted, deeplink: registrationDeeplink('enroll', session_id, minted.code) };
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
      const deeplink = registrationDeeplink('verify', session_id, minted.code, challengeNonce);
      return { step: 'verify', ...minted, deeplink, challenge_nonce: challengeNonce };
    },
    'tenant',
  );
  return { session_id, next };
}

/**
 * Step 3: a valid proof creates the user and the identity. Each attempt is reserved before its proof is verified, so at most
 * five proofs per code are verified. Every failure returns the same 404 after three statements and one verification.
 */
export async function complete({ deps, address, writeIn }: Phone, input: Static<typeof CompleteBody>) {
  const given = { proof: input.proof, publicSignals: input.public_signals };
  const source = { name: networkOf(address), keyless: true, confirm: true };
  const proof = reserveProof(deps, source, given, 'public_signals');
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const attempts = unaudited(deps.db, 'registration attempts');
  let opened: Reserved | undefined;
  try {
    opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
      followCode(deps, 'verify', input.verify_code, now, ({ scope, subjectId: id }) =>
        store.reserveAttempt(attempts, scope, { id, sessionId }, now),
      ),
    );
    const valid = await proof.verify();
    const bound = isBound(opened ?? UNKNOWN_SESSION, proof, input.challenge_nonce);
    if (valid && bound && opened?.completable) return await enroll(deps, writeIn, opened, now);
  } catch (error) {
    if (opened && isUnavailable(error)) await returnAttempt(deps, opened);
    const isRejection = error instanceof Failure && error.code === 'verify_failed';
    if (!isRejection && nameTaken(error) === undefined) throw error;
  } finally {
    proof.release();
  }
  const { scope, subjectId } = opened?.code ?? UNKNOWN_CODE;
  const isLast = await store.failAttempt(attempts, scope, subjectId);
  if (opened && isLast) await giveUp(deps, writeIn, opened, now);
  return fail('verify_failed', { because: 'code, challenge, commitment, proof or a duplicate' });
}

/** A session that waits for its proof, with an attempt reserved. */
type Reserved = OfCode<store.Provable>;

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
): boolean {
  const { session_id: sessionId, did, commitment, challenge_nonce } = expected;
  const bind = registrationBind({ ...expected.code.scope, sessionId, challengeNonce: challenge_nonce });
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

async function enroll(
  deps: Pick<Deps, 'anchoring' | 'ids' | 'random'>,
  writeIn: Phone['writeIn'],
  opened: Reserved,
  now: Date,
) {
  const { code, session_id, device_id: deviceId, failures: tries } = opened;
  const profile = readProfile(opened.profile);
  const userId = deps.ids();
  const identity = {
    id: deps.ids(),
    userId,
    did: opened.did,
    commitment: opened.commitment,
    externalId: profile.externalId ?? null,
    attestation: null,
    deviceId,
  };
  return writeIn(code.scope, phoneActor(deviceId), 'registration.completed', async (w) => {
    w.audit({ action: 'device.enrolled', entityType: 'device', entityId: deviceId });
    w.audit({ entityType: 'registration', entityId: session_id, metadata: { userId, deviceId, tries } });
    const [moved, consumed, device, user] = await Promise.all([
      store.moveSession(w, session_id, 'complete', { userId }, now),
      consumeCode(w, code.hash, 'verify', now),
      completeCeremonyDevice(w, deviceId, now),
      insertUser(w, userId, { primaryDeviceId: deviceId, ...profile }, now),
      insertIdentity(w, deps, identity, now),
    ]);
    if (!consumed || !moved || !device) return fail('verify_failed', { because: 'used concurrently' });
    return { session_id, tenant_user: serializeUser(user), device: serializeDevice(device) };
  });
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

const phoneActor = (deviceId: string | null) => ({ type: 'phone', id: deviceId }) as const;

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
