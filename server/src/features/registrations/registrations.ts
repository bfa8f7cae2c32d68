import { boundSignal, commitmentFromHex, commitmentToHex, didHash, registrationBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { networkOf } from '../../base/address.js';
import { catchError, Failure, fail, invalid } from '../../base/errors.js';
import { equalSecrets } from '../../base/keyring.js';
import { DatabaseUnavailableError, violates } from '../../db/db.js';
import { type BatchLimits, inBatches } from '../../db/in-batches.js';
import type { Deps } from '../../http/deps.js';
import { listPage } from '../../http/list.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { iso } from '../../http/schema.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { AuditEntry, Read, TenantWrite, Write } from '../../ledger/write.js';
import { registrationDeeplink } from '../../model/deeplink.js';
import { canonicalDid } from '../../model/did.js';
import { isFingerprint } from '../../model/fingerprint.js';
import { codeHashes, consumeCode, forgetCodes, mintCode } from '../codes/codes.js';
import {
  completeCeremonyDevice,
  findDevice,
  insertCeremonyDevice,
  noteAttestation,
  serializeDevice,
} from '../devices/devices.js';
import { insertIdentity, nameTaken } from '../identities/identities.js';
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

/** The session as its tenant sees it: no hash, no code, no nonce. Past its time it reads as expired at once. */
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

export async function openSession(w: TenantWrite, deps: Deps, profile: Record<string, unknown> | undefined) {
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

type ListContext = Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Deps;
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

/** Ends a session that is not ended; one that is stays as it is. */
export async function abandonSession({ read, write, deps }: ScopedContext & { deps: Deps }, id: string) {
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
 * Ends a session short of its goal: its codes are void and its device is revoked. Nothing is ended twice. The audit row
 * says how often a proof was tried: single failures leave none.
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
    store.revokePhone(w, id, now),
  ]);
  return moved ?? fail('session_not_found', { because: 'it ended in between' });
}

/** Undefined when the session ended in between, by somebody else and without a trace of this. */
const unlessEnded = <T>(closing: Promise<T>) => catchError('session_not_found', closing);

/** Step 1: a phone takes the session, and becomes a device of the tenant. */
export async function pairDevice({ deps, address, writeIn }: Phone, input: Static<typeof PairBody>) {
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const fingerprint = isFingerprint(input.fingerprint) ? input.fingerprint : null;
  const hashes = codeHashes(deps, 'pair', input.pair_code);
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    store.findPairing(deps.db, hashes, sessionId, fingerprint, now),
  );
  if (opened === undefined || fingerprint === null)
    return fail('pair_failed', { because: 'code, session or fingerprint' });
  const { session_id, tenant_id, company_name, environment } = opened;
  const deviceId = deps.ids();
  const pair = async (w: TenantWrite) => {
    w.audit({ entityType: 'registration', entityId: session_id, metadata: { deviceId } });
    const phone = { fingerprint, attestationKind: input.attestation_kind };
    // The session before its code and its device, as whoever ends it locks them.
    const [moved, consumed, , , minted] = await Promise.all([
      store.moveSession(w, session_id, 'pair', { deviceId }, now),
      consumeCode(w, opened.code_hash, 'pair', now),
      store.freeFingerprint(w, fingerprint, now),
      insertCeremonyDevice(w, deviceId, phone, now),
      mintCode(w, deps, 'enroll', session_id),
    ]);
    if (!consumed || !moved) fail('pair_failed', { because: 'taken in between' });
    return { step: 'enroll', ...minted, deeplink: registrationDeeplink('enroll', session_id, minted.code) };
  };
  try {
    const next = await writeIn(
      scopeOf(opened),
      phoneActor(deviceId),
      'registration.device_paired',
      pair,
      'tenant',
    );
    return { session_id, device_id: deviceId, tenant_id, company_name, environment, next };
  } catch (error) {
    if (violates(error, 'devices_fingerprint_key'))
      fail('pair_failed', { because: 'fingerprint taken in between' });
    throw error;
  }
}

/** Step 2: the phone's commitment is noted; nothing is reserved until the proof. */
export async function submitCommitment(
  { deps, address, writeIn }: Phone,
  input: Static<typeof CommitmentBody>,
) {
  const commitment = commitmentFromHex(input.commitment);
  if (commitment === null) invalid('body.commitment', 'must be below the BN254 scalar field');
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const hashes = codeHashes(deps, 'enroll', input.enroll_code);
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    store.findEnrolling(deps.db, hashes, sessionId, now),
  );
  if (opened === undefined) return fail('enroll_failed', { because: 'code or session' });
  const { session_id, device_id } = opened;
  const challengeNonce = deps.random.bytes(16).toString('hex');
  const learned = { did: canonicalDid(input.did), commitment: commitmentToHex(commitment), challengeNonce };
  const next = await writeIn(
    scopeOf(opened),
    phoneActor(device_id),
    'registration.commitment_submitted',
    async (w) => {
      w.audit({ entityType: 'registration', entityId: session_id });
      const attestationKind = input.attestation_kind;
      const [moved, consumed, minted] = await Promise.all([
        store.moveSession(w, session_id, 'commit', learned, now),
        consumeCode(w, opened.code_hash, 'enroll', now),
        mintCode(w, deps, 'verify', session_id),
        device_id && attestationKind && noteAttestation(w, device_id, attestationKind, now),
      ]);
      if (!consumed || !moved) fail('enroll_failed', { because: 'taken in between' });
      const deeplink = registrationDeeplink('verify', session_id, minted.code, challengeNonce);
      return { step: 'verify', ...minted, deeplink, challenge_nonce: challengeNonce };
    },
    'tenant',
  );
  return { session_id, next };
}

/**
 * Step 3: the proof makes the user and the identity. Each try reserves one of five before its proof is verified, so no
 * code has more than five proofs verified. Every refusal is the same 404 after two statements and one verification.
 */
export async function complete({ deps, address, writeIn }: Phone, input: Static<typeof CompleteBody>) {
  const given = { proof: input.proof, publicSignals: input.public_signals };
  const proof = reserveProof(deps, { name: networkOf(address), keyless: true }, given, 'public_signals');
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const hashes = codeHashes(deps, 'verify', input.verify_code);
  let opened: store.Provable | undefined;
  try {
    opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
      store.reserveTry(deps.db, hashes, sessionId, now),
    );
    const valid = await proof.verify();
    const bound = isBound(opened ?? NOBODY, proof, input.challenge_nonce);
    if (valid && bound && opened?.completable) return await enroll(deps, writeIn, opened, now);
  } catch (error) {
    if (opened && isUnavailable(error)) await giveTryBack(deps, opened);
    const refused = error instanceof Failure && error.code === 'verify_failed';
    if (!refused && nameTaken(error) === undefined) throw error;
  } finally {
    proof.release();
  }
  const isLast = await store.failTry(deps.db, opened);
  if (opened && isLast) await giveUp(deps, writeIn, opened, now);
  return fail('verify_failed', { because: 'code, challenge, commitment, proof or a name that is taken' });
}

type Expected = Pick<
  store.Provable,
  'tenant_id' | 'environment' | 'session_id' | 'did' | 'commitment' | 'challenge_nonce'
>;

/** In place of a session that no code opened: as much is computed, and no proof is bound to it. */
const NOBODY: Expected = {
  tenant_id: 'none',
  environment: 'live',
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
  const bind = registrationBind({ ...scopeOf(expected), sessionId, challengeNonce: challenge_nonce });
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

/** What could not be judged was no try. With the database gone it stays counted: there is nowhere to give it back. */
async function giveTryBack({ db, log }: Pick<Deps, 'db' | 'log'>, opened: store.Provable): Promise<void> {
  try {
    await store.giveTryBack(db, scopeOf(opened), opened.session_id);
  } catch (err) {
    log.warn({ err, registration: opened.session_id }, 'a try could not be given back');
  }
}

async function enroll(deps: Deps, writeIn: Phone['writeIn'], opened: store.Provable, now: Date) {
  const { session_id, device_id: deviceId, failures: tries } = opened;
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
  return writeIn(scopeOf(opened), phoneActor(deviceId), 'registration.completed', async (w) => {
    w.audit({ action: 'device.enrolled', entityType: 'device', entityId: deviceId });
    w.audit({ entityType: 'registration', entityId: session_id, metadata: { userId, deviceId, tries } });
    const [moved, consumed, device, user] = await Promise.all([
      store.moveSession(w, session_id, 'complete', { userId }, now),
      consumeCode(w, opened.code_hash, 'verify', now),
      completeCeremonyDevice(w, deviceId, now),
      insertUser(w, userId, { primaryDeviceId: deviceId, ...profile }, now),
      insertIdentity(w, deps, identity, now),
    ]);
    if (!consumed || !moved || !device) return fail('verify_failed', { because: 'taken in between' });
    return { session_id, tenant_user: serializeUser(user), device: serializeDevice(device) };
  });
}

/** The fifth failure to return ends the session. */
async function giveUp(
  deps: Deps,
  writeIn: Phone['writeIn'],
  opened: store.Provable,
  now: Date,
): Promise<void> {
  const { session_id: id, device_id } = opened;
  const abandoned = await unlessEnded(
    writeIn(scopeOf(opened), phoneActor(device_id), 'registration.abandoned', (w) =>
      close(w, id, 'abandon', now, { status: 'failure', metadata: { reason: 'five_failures' } }),
    ),
  );
  if (abandoned) deps.log.info({ registration: id }, 'abandoned after five failures');
}

const scopeOf = ({ tenant_id, environment }: Pick<store.Opened, 'tenant_id' | 'environment'>): Scope => ({
  tenantId: tenant_id,
  environment,
});

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
      const request = { scope: scopeOf(row), actor, action: 'registration.expired' } as const;
      await unlessEnded(deps.write(request, (w) => close(w, row.id, 'expire', now)));
    }
    return rows.length === batchSize;
  });
}
