import { randomUUID } from 'node:crypto';
import { register, startRegistration } from '@svc/sdk/phone';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Environment } from '../../src/model/environment.js';
import { phoneOf, proofs } from './phones.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';

/** A ceremony in its current state, with everything that its parties know. */
export interface Ceremony {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly identity: PhoneIdentity;
  readonly fingerprint: string;
  readonly pairCode: string;
  deviceId?: string;
  enrollCode?: string;
  verifyCode?: string;
  challengeNonce?: string;
}

export type Step = 'pair-device' | 'submit-commitment' | 'complete';

/** A call of the phone. Default: from a separate address, so that tests share no rate limit. */
export const phone = (service: Service, step: Step, body: unknown, address = freshAddress()) =>
  service.call('POST', `/v1/registrations/${step}`, { body, address });

export const freshFingerprint = () => `fp:${randomUUID()}`;

function expectCreated(reply: Reply): Reply {
  if (reply.status !== 201) throw new Error(`a step returned ${reply.status} ${reply.text}`);
  return reply;
}

export async function openCeremony(
  service: Service,
  account: Account,
  options: { profile?: object; key?: string; environment?: Environment; identity?: PhoneIdentity } = {},
): Promise<Ceremony> {
  const { profile, key = account.key, environment = 'live', identity = createIdentity() } = options;
  const body = profile === undefined ? {} : { profile };
  const reply = expectCreated(await service.call('POST', '/v1/registrations', { as: key, body }));
  return {
    id: reply.body.session.id,
    tenantId: account.tenantId,
    environment,
    identity,
    fingerprint: freshFingerprint(),
    pairCode: reply.body.pair.code,
  };
}

export const pairBody = (c: Ceremony) => ({ pair_code: c.pairCode, fingerprint: c.fingerprint });

export async function pair(service: Service, c: Ceremony): Promise<Reply> {
  const reply = expectCreated(await phone(service, 'pair-device', pairBody(c)));
  c.deviceId = reply.body.device_id;
  c.enrollCode = reply.body.next.code;
  return reply;
}

export const commitBody = (c: Ceremony) => ({
  enroll_code: c.enrollCode,
  did: c.identity.did,
  commitment: c.identity.commitment,
});

export async function commit(service: Service, c: Ceremony): Promise<Reply> {
  const reply = expectCreated(await phone(service, 'submit-commitment', commitBody(c)));
  c.verifyCode = reply.body.next.code;
  c.challengeNonce = reply.body.next.challenge_nonce;
  return reply;
}

/** The body of `complete` with a fresh proof. The given values replace the ceremony's own. */
export async function completeBody(
  c: Ceremony,
  other: { tenantId?: string; environment?: Environment; sessionId?: string; identity?: PhoneIdentity } = {},
) {
  const {
    tenantId = c.tenantId,
    environment = c.environment,
    sessionId = c.id,
    identity = c.identity,
  } = other;
  const challengeNonce = c.challengeNonce as string;
  const challenge = { tenantId, environment, sessionId, challengeNonce };
  const { proof, publicSignals } = await proofs.proveRegistration(
    { ...identity, did: c.identity.did },
    challenge,
  );
  return {
    verify_code: c.verifyCode as string,
    challenge_nonce: challengeNonce,
    proof,
    public_signals: publicSignals,
  };
}

/** A ceremony that is ready for that step. */
export async function ceremonyBefore(
  service: Service,
  account: Account,
  step: Step,
  options: Parameters<typeof openCeremony>[2] = {},
): Promise<Ceremony> {
  const c = await openCeremony(service, account, options);
  if (step !== 'pair-device') await pair(service, c);
  if (step === 'complete') await commit(service, c);
  return c;
}

/** The phone of an opened registration takes all of its steps. */
export async function completeOn(service: Service, { body: { session, pair } }: Reply) {
  const phone = phoneOf(service);
  await startRegistration(phone, { session: session.id, code: pair.code });
  const { identity, reply } = await register(phone, session.id);
  const { tenantId, environment, fingerprint } = identity;
  const c: Ceremony = {
    ...{ id: session.id, tenantId, environment, identity, fingerprint },
    ...{ pairCode: pair.code, deviceId: reply.device.id },
  };
  return { c, reply: { body: reply } };
}

/** Runs a ceremony from start to end. */
export async function completeCeremony(
  service: Service,
  { key }: Account,
  options: { readonly profile?: object; readonly key?: string } = {},
) {
  const body = options.profile === undefined ? {} : { profile: options.profile };
  const as = options.key ?? key;
  return completeOn(service, expectCreated(await service.call('POST', '/v1/registrations', { as, body })));
}
