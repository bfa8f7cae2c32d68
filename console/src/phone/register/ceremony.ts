import { type Deeplink, type EnrolledAt, isSvcError } from '@svc/sdk';
import type { ProofWithSignals } from '@svc/sdk/prover';
import { readAccountName } from '../account-name';
import { type Identity, replaceOlder } from '../identities/identity';
import { whenOnline } from '../offline/online';
import { inProver } from '../prover/prover';
import { SERVICE, svc } from '../service';
import { change, read, readAll } from '../vault/database';
import { createProtection, type ProtectionKind, unlock } from '../vault/protection';

export type PairLink = Extract<Deeplink, { kind: 'registration' }>;

/**
 * A registration that has begun. It is written down before each step that depends on it, so that a page that is closed
 * half-way goes on where it was; its identity becomes the phone's own with the last answer, and is never in two places.
 */
export interface Ceremony extends Pick<EnrolledAt, 'tenantId' | 'environment'> {
  readonly sessionId: string;
  /** As the service calls it; a registration that an older version of this page began has none. */
  readonly companyName?: string | undefined;
  readonly fingerprint: string;
  readonly startedAt: string;
  /** The code of the next step, which is all the credential there is: good for 15 minutes, and for this registration. */
  readonly next:
    | { readonly step: 'enroll'; readonly code: string }
    | { readonly step: 'verify'; readonly code: string; readonly challengeNonce: string };
  readonly identity?: Identity;
  /** The last step was sent, and its answer never came. */
  readonly unanswered?: boolean;
}

/** How far it is, for the person who watches. */
export type Stage = 'unlocking' | 'waiting' | 'sending' | 'loading' | 'proving' | 'completing';
export interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
}

export const CEREMONIES = ['ceremonies'] as const;
export const begunCeremonies = (): Promise<Ceremony[]> => readAll('ceremonies');

const keep = (ceremony: Ceremony) =>
  change(['ceremonies'], (store) => store('ceremonies').put(ceremony)).then(() => ceremony);
export const dropCeremony = ({ sessionId }: Ceremony): Promise<void> =>
  change(['ceremonies'], (store) => store('ceremonies').delete(sessionId));

/** Its last answer was lost, and the desk's code is spent: only the desk, or a sign-in, can tell whether it is registered. */
export class Unconfirmed extends Error {}

/** Step 1: the phone shows itself to the desk, and learns whose desk it is. */
export const pairPhone = (link: PairLink, watch: Watch): Promise<Ceremony> =>
  alone(link.session, () => pair(link, watch));

async function pair(link: PairLink, { signal, onStage }: Watch): Promise<Ceremony> {
  const begun = await read<Ceremony>('ceremonies', link.session);
  if (begun) return begun;
  await whenOnline(signal, () => onStage('waiting'));
  onStage('sending');
  const fingerprint = `phone:${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const paired = await svc.registrations.pairDevice(
    { pair_code: link.code, session_id: link.session, fingerprint },
    { signal },
  );
  return keep({
    sessionId: link.session,
    tenantId: paired.tenant_id,
    companyName: readAccountName(paired.company_name),
    environment: paired.environment,
    fingerprint,
    startedAt: new Date().toISOString(),
    next: { step: 'enroll', code: paired.next.code },
  });
}

/** Steps 2 and 3: the identity is made and kept, its commitment is sent, and a proof that this phone knows what is behind it. */
export const register = (sessionId: string, wanted: ProtectionKind, watch: Watch): Promise<Identity> =>
  alone(sessionId, async () => {
    const begun = await read<Ceremony>('ceremonies', sessionId);
    if (begun === undefined)
      throw new Error('This registration is over already. Look at what this phone holds.');
    watch.onStage('unlocking');
    const { ceremony: made, identity, key } = await withIdentity(begun, wanted);
    try {
      const { ceremony, challenge } = await commit(made, identity, watch);
      const proof = await inProver({ kind: 'registration', key, identity, challenge }, watch.onStage);
      return await complete(ceremony, identity, proof, watch);
    } catch (error) {
      if (isFinal(error)) await dropCeremony(made);
      throw error;
    }
  });

/** A code works once: whoever goes on with the same registration, on another screen or in another tab, waits and then looks. */
const alone = async <T>(sessionId: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`ceremony:${sessionId}`, work);

/** The ceremony's identity, unlocked; made and written down where it has none yet. */
async function withIdentity(ceremony: Ceremony, wanted: ProtectionKind) {
  if (ceremony.identity) {
    const { identity } = ceremony;
    return { ceremony, identity, key: await unlock(identity.protection) };
  }
  const { tenantId, companyName, environment, fingerprint } = ceremony;
  const { protection, key } = await createProtection(wanted, `Identity (${environment})`);
  const sealed = await inProver({ kind: 'create', key });
  const identity: Identity = {
    ...sealed,
    id: sealed.did,
    baseUrl: SERVICE,
    tenantId,
    companyName,
    environment,
    fingerprint,
    protection,
    createdAt: new Date().toISOString(),
    confirmed: false,
  };
  const kept = await keep({ ...ceremony, identity });
  // Browsers clear what nobody asked them to keep. Some ask the person, who may take their time.
  void navigator.storage?.persist?.().catch(() => undefined);
  return { ceremony: kept, identity, key };
}

async function commit(ceremony: Ceremony, { did, commitment }: Identity, { signal, onStage }: Watch) {
  const { sessionId, tenantId, environment } = ceremony;
  const challengeOf = (challengeNonce: string) => ({ tenantId, environment, sessionId, challengeNonce });
  if (ceremony.next.step === 'verify')
    return { ceremony, challenge: challengeOf(ceremony.next.challengeNonce) };
  await whenOnline(signal, () => onStage('waiting'));
  onStage('sending');
  // Sent without the signal, as the last step is: whoever leaves the screen has not given up, and the answer is needed to go on.
  const { next } = await svc.registrations.submitCommitment({
    enroll_code: ceremony.next.code,
    session_id: sessionId,
    did,
    commitment,
  });
  const verify = { step: 'verify', code: next.code, challengeNonce: next.challenge_nonce } as const;
  return {
    ceremony: await keep({ ...ceremony, next: verify }),
    challenge: challengeOf(next.challenge_nonce),
  };
}

async function complete(
  ceremony: Ceremony,
  identity: Identity,
  { proof, publicSignals }: ProofWithSignals,
  { signal, onStage }: Watch,
): Promise<Identity> {
  if (ceremony.next.step !== 'verify') throw new Error('A proof without a challenge.');
  await whenOnline(signal, () => onStage('waiting'));
  onStage('completing');
  // Written down before it is sent: from here on the service may know the identity, whatever becomes of the answer.
  await keep({ ...ceremony, unanswered: true });
  try {
    await svc.registrations.complete({
      verify_code: ceremony.next.code,
      session_id: ceremony.sessionId,
      challenge_nonce: ceremony.next.challengeNonce,
      proof,
      public_signals: publicSignals,
    });
  } catch (error) {
    // Too many requests are turned away unread. All else may have been done: even a 503 can come after the commit.
    if (isSvcError(error, 'rate_limit_exceeded')) await keep(ceremony);
    if (!isFinal(error) || !ceremony.unanswered) throw error;
    await settle(ceremony, identity);
    throw new Unconfirmed();
  }
  return settle(ceremony, { ...identity, confirmed: true });
}

/** The ceremony is over, and the identity the phone's own: beside an older one of the account until it is known to be registered. */
async function settle({ sessionId }: Ceremony, identity: Identity): Promise<Identity> {
  await change(['identities', 'ceremonies'], (store) => {
    store('ceremonies').delete(sessionId);
    if (identity.confirmed) return replaceOlder(store('identities'), identity);
    return store('identities').put(identity);
  });
  return identity;
}

/** Nothing of this ceremony can come of any further try. */
const isFinal = (error: unknown): boolean =>
  isSvcError(error, 'pair_failed', 'enroll_failed', 'verify_failed', 'invalid_request');

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
