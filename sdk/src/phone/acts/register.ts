import { enrolmentDigest } from '../../attestation.js';
import type { Deeplink } from '../../codecs/deeplink.js';
import type { AttestationEvidenceParams } from '../../generated/api.js';
import type { ProofWithSignals } from '../../phone-identity.js';
import { isSvcError, SvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import { readAccountName } from '../account-name.js';
import { type PhonePorts, store, type Watch, whenOnline } from '../ports.js';
import { createFingerprint } from '../random.js';
import {
  createdAfter,
  type Identity,
  type Opening,
  type Registration,
  replacingOlder,
  type Secret,
  type Stored,
} from '../records.js';

/** The code of a registration's first step, as `parseDeeplink` returns it. */
export type RegistrationLink = Pick<Extract<Deeplink, { kind: 'registration' }>, 'session' | 'code'>;

/** A registration without a response can be resumed for so long. Its code is valid for 15 minutes. */
const STALE_MS = 15 * 60_000;

/** @internal Locks the registration across screens and tabs, because each code works only once. */
const alone = <S extends Secret, T>({ vault }: PhonePorts<S>, sessionId: string, work: () => Promise<T>) =>
  vault.alone(`ceremony:${sessionId}`, work);

/** The registrations that can go on: the service has named the account. */
export const registrationsIn = <S extends Secret>({ ceremonies }: Stored<S>): Registration<S>[] =>
  ceremonies.filter((each): each is Registration<S> => each.next.step !== 'pair');

const save = async <S extends Secret, R extends Registration<S> | Opening>(
  phone: PhonePorts<S>,
  record: R,
): Promise<R> => {
  await store(phone, () => [{ put: 'ceremonies', record }]);
  return record;
};

/** Deletes a registration that is over, with the secret of its identity. */
export async function discardRegistration<S extends Secret>(
  phone: PhonePorts<S>,
  ceremony: Registration<S> | Opening,
): Promise<void> {
  await store(phone, () => [{ remove: 'ceremonies', id: ceremony.sessionId }]);
  if ('identity' in ceremony && ceremony.identity) phone.prover.forget?.(ceremony.identity);
}

/**
 * Step 1: pairs the phone with the desk and returns the account. Nothing is sent unless the phone can store the answer, because a code works
 * only once. If the answer is lost, the desk has to show another code.
 */
export const startRegistration = <S extends Secret>(
  phone: PhonePorts<S>,
  link: RegistrationLink,
  watch: Watch = {},
): Promise<Registration<S>> =>
  alone(phone, link.session, async () => {
    const { ceremonies } = await phone.vault.read();
    const stored = ceremonies.find(({ sessionId }) => sessionId === link.session);
    if (stored !== undefined && stored.next.step !== 'pair') return stored as Registration<S>;
    await whenOnline(phone, watch);
    const now = phone.service.serverNow();
    const opening: Opening = {
      sessionId: link.session,
      fingerprint: stored?.fingerprint ?? phone.fingerprint ?? createFingerprint(),
      startedAt: new Date(now).toISOString(),
      next: { step: 'pair', code: link.code },
    };
    await store(phone, (all) => [
      ...all.ceremonies
        .filter((each) => each.next.step === 'pair' && now - Date.parse(each.startedAt) > STALE_MS)
        .map(({ sessionId: id }) => ({ remove: 'ceremonies' as const, id })),
      { put: 'ceremonies', record: opening },
    ]);
    try {
      return await pair(phone, opening, watch);
    } catch (error) {
      if (isOver(error)) await discardRegistration(phone, opening);
      throw error;
    }
  });

async function pair<S extends Secret>(
  phone: PhonePorts<S>,
  { sessionId, fingerprint, startedAt, next }: Opening,
  { signal, onStage }: Watch,
): Promise<Registration<S>> {
  onStage?.('sending');
  const body = { pair_code: next.code, session_id: sessionId, fingerprint };
  const paired = await phone.service.registrations.pairDevice(body, { signal });
  const companyName = readAccountName(paired.company_name);
  const ceremony = await save<S, Registration<S>>(phone, {
    ...{ sessionId, fingerprint, startedAt, companyName },
    tenantId: paired.tenant_id,
    environment: paired.environment,
    next: { step: 'enroll', code: paired.next.code },
  });
  if (phone.describe === undefined) return ceremony;
  // After the code is stored, because it works only once and loading a logo takes time.
  const { accent_color: accentColor, logo_url: logoUrl } = paired;
  return save(phone, {
    ...ceremony,
    ...(await phone.describe({ name: companyName, accentColor, logoUrl })),
  });
}

/** The identity, which waits for `inForceAt` if this is a recovery, and the service's answer. */
export interface Registered<S extends Secret> {
  readonly identity: Identity<S>;
  readonly reply: Reply<'completeRegistration'>;
}

/** Steps 2 and 3: creates and stores the identity, sends its commitment, and proves that this phone knows the secret. */
export const register = <S extends Secret>(
  phone: PhonePorts<S>,
  sessionId: string,
  watch: Watch = {},
): Promise<Registered<S>> => alone(phone, sessionId, () => proceed(phone, sessionId, watch, complete));

/** Step 2 alone, for a phone whose last step comes with another code. */
export const commitRegistration = <S extends Secret>(
  phone: PhonePorts<S>,
  sessionId: string,
  watch: Watch = {},
): Promise<Registration<S>> =>
  alone(phone, sessionId, () => proceed(phone, sessionId, watch, async (_, committed) => committed));

type Created<S extends Secret> = Registration<S> & { readonly identity: Identity<S> };
type Committed<S extends Secret> = Created<S> & {
  readonly next: { readonly step: 'verify'; readonly code: string; readonly challengeNonce: string };
};

async function proceed<S extends Secret, T>(
  phone: PhonePorts<S>,
  sessionId: string,
  watch: Watch,
  then: (phone: PhonePorts<S>, committed: Committed<S>, watch: Watch) => Promise<T>,
): Promise<T> {
  const stored = registrationsIn(await phone.vault.read()).find((each) => each.sessionId === sessionId);
  if (stored === undefined)
    throw new SvcError('registration_over', 'This registration has already ended on this phone.');
  watch.onStage?.('unlocking');
  const created = await createIdentity(phone, stored);
  try {
    return await then(phone, await commit(phone, created, watch), watch);
  } catch (error) {
    if (isOver(error)) await discardRegistration(phone, created);
    throw error;
  }
}

/** The registration with its identity, which is created and stored if there is none. */
async function createIdentity<S extends Secret>(
  phone: PhonePorts<S>,
  ceremony: Registration<S>,
): Promise<Created<S>> {
  const { identity: stored, tenantId, environment, companyName, brand, fingerprint } = ceremony;
  if (stored) return { ...ceremony, identity: stored };
  const secret = await phone.prover.create({ tenantId, environment });
  const identity: Identity<S> = {
    ...secret,
    ...{ id: secret.did, tenantId, environment, companyName, brand, fingerprint },
    baseUrl: phone.service.baseUrl,
    createdAt: createdAfter(await phone.vault.read(), phone.service.serverNow()),
    confirmed: false,
  };
  return save(phone, { ...ceremony, identity });
}

async function commit<S extends Secret>(
  phone: PhonePorts<S>,
  ceremony: Created<S>,
  watch: Watch,
): Promise<Committed<S>> {
  if (ceremony.next.step === 'verify') return ceremony as Committed<S>;
  await whenOnline(phone, watch);
  watch.onStage?.('sending');
  const { did, commitment } = ceremony.identity;
  // Like the last step, this request ignores the abort signal. Leaving the screen doesn't cancel it, and the response is needed to continue.
  const { next } = await phone.service.registrations.submitCommitment({
    ...{ enroll_code: ceremony.next.code, session_id: ceremony.sessionId, did, commitment },
  });
  const verify = { step: 'verify', code: next.code, challengeNonce: next.challenge_nonce } as const;
  return save(phone, { ...ceremony, next: verify });
}

async function complete<S extends Secret>(
  phone: PhonePorts<S>,
  ceremony: Committed<S>,
  watch: Watch,
): Promise<Registered<S>> {
  const { tenantId, environment, sessionId, next } = ceremony;
  const challenge = { tenantId, environment, sessionId, challengeNonce: next.challengeNonce };
  const digest = enrolmentDigest({ tenantId, environment, challenge: next.challengeNonce });
  const made = await phone.keys?.enroll?.(ceremony.identity, digest, watch);
  const identity = { ...ceremony.identity, ...made?.kept };
  const work = { kind: 'registration', challenge: { ...challenge, attestation: made?.attestation } } as const;
  const proof = await phone.prover.prove(identity, work, (stage) => watch.onStage?.(stage));
  await whenOnline(phone, watch);
  watch.onStage?.('completing');
  // Stored before sending, because from now on the service may know the identity even if the response is lost.
  await save(phone, { ...ceremony, identity, unanswered: true });
  const reply = await send(phone, { ...ceremony, identity }, proof, made?.attestation);
  const { enrolment, attestationKeyId, tenant_user } = reply;
  const personName = tenant_user.fullName === NO_NAME ? undefined : readAccountName(tenant_user.fullName);
  const registered = { ...identity, enrolment, attestationKeyId, personName };
  // A recovery: the person’s other phones work until then, and can object.
  const known =
    reply.state === 'pending_recovery' ? { inForceAt: reply.completesAt } : { confirmed: true as const };
  return { identity: await finish(phone, ceremony, { ...registered, ...known }), reply };
}

async function send<S extends Secret>(
  phone: PhonePorts<S>,
  ceremony: Committed<S>,
  { proof, publicSignals }: ProofWithSignals,
  attestation: AttestationEvidenceParams | undefined,
) {
  try {
    return await phone.service.registrations.complete({
      verify_code: ceremony.next.code,
      session_id: ceremony.sessionId,
      challenge_nonce: ceremony.next.challengeNonce,
      ...{ proof, public_signals: publicSignals, ...(attestation && { attestation }) },
    });
  } catch (error) {
    // A 429 is returned before any processing. After any other error the step may have completed: even a 503 can follow the commit.
    if (isSvcError(error, 'rate_limit_exceeded')) await save(phone, ceremony);
    if (!isOver(error) || !ceremony.unanswered) throw error;
    await finish(phone, ceremony, ceremony.identity);
    throw new SvcError(
      'registration_unconfirmed',
      'The last response was lost, and the code is used up. The desk, or a use of this phone, shows whether it is registered.',
      { cause: error },
    );
  }
}

/** What the service calls a person whose registration has no name. */
const NO_NAME = 'Unnamed';

/** Ends the registration and stores its identity. An older one of the account is kept until the new one is confirmed. */
async function finish<S extends Secret>(
  phone: PhonePorts<S>,
  { sessionId: id }: Registration<S>,
  identity: Identity<S>,
): Promise<Identity<S>> {
  await store(phone, (stored) => [
    { remove: 'ceremonies', id },
    ...(identity.confirmed
      ? replacingOlder(stored, identity)
      : [{ put: 'identities' as const, record: identity }]),
  ]);
  return identity;
}

/** Whether the registration has ended, so that only the desk can go on. */
const isOver = (error: unknown): boolean =>
  isSvcError(error, 'pair_failed', 'enroll_failed', 'verify_failed', 'invalid_request');
