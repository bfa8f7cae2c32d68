import {
  type AttestationEvidence,
  type Deeplink,
  type EnrolledAt,
  isSvcError,
  type RegistrationChallenge,
} from '@svc/sdk';
import type { ProofWithSignals } from '@svc/sdk/prover';
import { enrolmentDigest } from '@svc/zk/attestation';
import { productName } from '../../ui/product-name';
import { readAccountName } from '../account-name';
import { type Brand, loadBrand } from '../company/brand';
import { type Identity, replaceOlder } from '../identities/identity';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { whenOnline } from '../offline/online';
import { runInProver } from '../prover/prover';
import { SERVICE, svc } from '../service';
import { change, read, readAll } from '../vault/database';
import { askPasskey } from '../vault/passkey';
import { createProtection, discardProtection, type ProtectionKind, unlock } from '../vault/protection';

export type PairLink = Extract<Deeplink, { kind: 'registration' }>;

/**
 * A registration in progress. It is stored before each step that depends on it, so that a closed page can continue. After the
 * last response, its identity moves to the phone's identities in one transaction.
 */
export interface Ceremony extends Pick<EnrolledAt, 'tenantId' | 'environment'> {
  readonly sessionId: string;
  /** The account's name. Registrations started by an older version of this page have none. */
  readonly companyName?: string | undefined;
  readonly brand?: Brand | undefined;
  readonly fingerprint: string;
  readonly startedAt: string;
  /** The code of the next step. It is the only credential, valid for 15 minutes and for this registration. */
  readonly next:
    | { readonly step: 'enroll'; readonly code: string }
    | { readonly step: 'verify'; readonly code: string; readonly challengeNonce: string };
  readonly identity?: Identity;
  /** Set when the last step was sent and its response has not arrived. */
  readonly unanswered?: boolean;
}

export type Stage = 'unlocking' | 'waiting' | 'sending' | 'enrolling' | 'loading' | 'proving' | 'completing';
export interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
}

export const CEREMONIES = ['ceremonies'] as const;
export const readCeremonies = (): Promise<Ceremony[]> => readAll('ceremonies');

const saveCeremony = (ceremony: Ceremony) =>
  change(['ceremonies'], (store) => store('ceremonies').put(ceremony)).then(() => ceremony);
/** Deletes a registration that is over, with the secret of its identity. */
export async function discardCeremony(ceremony: Ceremony): Promise<void> {
  await change(['ceremonies'], (store) => store('ceremonies').delete(ceremony.sessionId));
  discardProtection(ceremony.identity?.protection);
}

/** The last response was lost and the desk's code is used up. Only the desk or a sign-in shows whether the phone is registered. */
export class Unconfirmed extends Error {}

/** Step 1: pairs the phone with the desk and returns the account. */
export const pairPhone = (link: PairLink, watch: Watch): Promise<Ceremony> =>
  withLock(link.session, () => pair(link, watch));

async function pair(link: PairLink, { signal, onStage }: Watch): Promise<Ceremony> {
  const stored = await read<Ceremony>('ceremonies', link.session);
  if (stored) return stored;
  await whenOnline(signal, () => onStage('waiting'));
  onStage('sending');
  const fingerprint = `phone:${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const paired = await svc.registrations.pairDevice(
    { pair_code: link.code, session_id: link.session, fingerprint },
    { signal },
  );
  const ceremony = await saveCeremony({
    sessionId: link.session,
    tenantId: paired.tenant_id,
    companyName: readAccountName(paired.company_name),
    environment: paired.environment,
    fingerprint,
    startedAt: new Date().toISOString(),
    next: { step: 'enroll', code: paired.next.code },
  });
  // After the code is stored, because it works only once and loading a logo takes time.
  return saveCeremony({ ...ceremony, brand: await loadBrand(paired) });
}

/** Steps 2 and 3: creates and stores the identity, sends its commitment, and proves that this phone knows the secret. */
export const register = (sessionId: string, wanted: ProtectionKind, watch: Watch): Promise<Identity> =>
  withLock(sessionId, async () => {
    const stored = await read<Ceremony>('ceremonies', sessionId);
    if (stored === undefined) throw new PhoneError('registration_over', t.errors.registrationOver);
    watch.onStage('unlocking');
    const created = await createIdentity(stored, wanted);
    const { identity } = created;
    try {
      const { ceremony, challenge } = await commit(created, identity, watch);
      const { key, evidence } = await unlockWith(identity, challenge, watch);
      const attestation = evidence && { platform: 'webauthn' as const, evidence };
      const bound = { ...challenge, attestation };
      const work = { kind: 'registration', key, identity, challenge: bound } as const;
      const proof = await runInProver(work, watch.onStage);
      return await complete(ceremony, identity, { ...proof, evidence }, watch);
    } catch (error) {
      if (isFinal(error)) await discardCeremony(created);
      throw error;
    }
  });

/** Locks the registration across screens and tabs, because each code works only once. */
const withLock = async <T>(sessionId: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`ceremony:${sessionId}`, work);

type Created = Ceremony & { readonly identity: Identity };

/** The registration with its identity, which is created and stored if there is none. */
async function createIdentity(ceremony: Ceremony, wanted: ProtectionKind): Promise<Created> {
  const { identity: stored, tenantId, companyName, brand, environment, fingerprint } = ceremony;
  if (stored) return { ...ceremony, identity: stored };
  const { protection, key } = await createProtection(wanted, `${productName} (${environment})`);
  const sealed = await runInProver({ kind: 'create', key });
  const identity: Identity = {
    ...sealed,
    id: sealed.did,
    baseUrl: SERVICE,
    tenantId,
    companyName,
    brand,
    environment,
    fingerprint,
    protection,
    createdAt: new Date().toISOString(),
    confirmed: false,
  };
  const created = { ...ceremony, identity };
  await saveCeremony(created);
  // Browsers may clear data unless asked to persist it. Some ask the person first, so don't wait for the reply.
  void navigator.storage?.persist?.().catch(() => undefined);
  return created;
}

/** One unlock gives the key of the secret, and shows the service that the phone has the passkey. */
async function unlockWith({ protection }: Identity, challenge: RegistrationChallenge, { onStage }: Watch) {
  if (protection.kind === 'browser' || protection.creation === undefined)
    return { key: await unlock(protection) };
  onStage('enrolling');
  const { tenantId, environment, challengeNonce } = challenge;
  const digest = enrolmentDigest({ tenantId, environment, challenge: challengeNonce });
  const { key, assertion } = await askPasskey(protection, new Uint8Array(digest));
  return { key, evidence: { ...protection.creation, assertion } };
}

async function commit(ceremony: Ceremony, { did, commitment }: Identity, { signal, onStage }: Watch) {
  const { sessionId, tenantId, environment } = ceremony;
  const challengeOf = (challengeNonce: string) => ({ tenantId, environment, sessionId, challengeNonce });
  if (ceremony.next.step === 'verify')
    return { ceremony, challenge: challengeOf(ceremony.next.challengeNonce) };
  await whenOnline(signal, () => onStage('waiting'));
  onStage('sending');
  // Like the last step, this request ignores the abort signal. Leaving the screen doesn't cancel it, and the response is needed to continue.
  const { next } = await svc.registrations.submitCommitment({
    enroll_code: ceremony.next.code,
    session_id: sessionId,
    did,
    commitment,
  });
  const verify = { step: 'verify', code: next.code, challengeNonce: next.challenge_nonce } as const;
  return {
    ceremony: await saveCeremony({ ...ceremony, next: verify }),
    challenge: challengeOf(next.challenge_nonce),
  };
}

async function complete(
  ceremony: Ceremony,
  identity: Identity,
  {
    proof,
    publicSignals,
    evidence,
  }: ProofWithSignals & { readonly evidence?: AttestationEvidence | undefined },
  { signal, onStage }: Watch,
): Promise<Identity> {
  if (ceremony.next.step !== 'verify') throw new Error('The registration has no challenge.');
  await whenOnline(signal, () => onStage('waiting'));
  onStage('completing');
  // Stored before sending, because from now on the service may know the identity even if the response is lost.
  await saveCeremony({ ...ceremony, unanswered: true });
  let reply: Awaited<ReturnType<typeof svc.registrations.complete>>;
  try {
    reply = await svc.registrations.complete({
      verify_code: ceremony.next.code,
      session_id: ceremony.sessionId,
      challenge_nonce: ceremony.next.challengeNonce,
      proof,
      public_signals: publicSignals,
      ...(evidence && { attestation: { platform: 'webauthn', evidence } }),
    });
  } catch (error) {
    // A 429 is returned before any processing. After any other error the step may have completed: even a 503 can follow the commit.
    if (isSvcError(error, 'rate_limit_exceeded')) await saveCeremony(ceremony);
    if (!isFinal(error) || !ceremony.unanswered) throw error;
    await finish(ceremony, identity);
    throw new Unconfirmed();
  }
  const { enrolment, attestationKeyId, tenant_user } = reply;
  const personName = tenant_user.fullName === NO_NAME ? undefined : readAccountName(tenant_user.fullName);
  const registered = { ...identity, enrolment, attestationKeyId, personName };
  // A recovery: the person’s other phones work until then, and can object.
  if (reply.state === 'pending_recovery')
    return finish(ceremony, { ...registered, inForceAt: reply.completesAt });
  return finish(ceremony, { ...registered, confirmed: true });
}

/** What the service calls a person whose registration has no name. */
const NO_NAME = 'Unnamed';

/** Ends the registration and stores its identity. An older one of the account is kept until the new one is confirmed. */
async function finish({ sessionId }: Ceremony, identity: Identity): Promise<Identity> {
  await change(['identities', 'ceremonies'], (store) => {
    store('ceremonies').delete(sessionId);
    if (identity.confirmed) return replaceOlder(store('identities'), identity);
    return store('identities').put(identity);
  });
  return identity;
}

/** Whether no further attempt can succeed. */
const isFinal = (error: unknown): boolean =>
  isSvcError(error, 'pair_failed', 'enroll_failed', 'verify_failed', 'invalid_request');

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
