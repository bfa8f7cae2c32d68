import { randomBytes } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import * as acts from '../phone/acts.js';
import type { Fault } from '../phone/faults/faults.js';
import { makePasskey } from '../phone/passkey/passkey.js';
import { ensure, errorOf, type OpenCeremony, type Stage } from './stage.js';

/** The request whose response is the outcome. */
export type FinalRequest = () => Promise<unknown>;

export const newFingerprint = () => `sandbox:${randomBytes(16).toString('hex')}`;

/** A ceremony before its last step; returns that step. */
export async function beforeCompletion(
  { svc }: Stage,
  { sessionId, code }: OpenCeremony,
  fingerprint = newFingerprint(),
): Promise<(fault?: Partial<Fault>) => Promise<unknown>> {
  const identity = createIdentity();
  const paired = await acts.pairDevice(svc, { sessionId, code }, fingerprint);
  const { tenant_id: tenantId, environment } = paired;
  const { next } = await acts.submitCommitment(svc, { sessionId, code: paired.next.code }, identity);
  const ceremony = { sessionId, tenantId, environment };
  const { code: lastCode, challenge_nonce: challenge } = next;
  return (fault) => {
    const place = { ...ceremony, baseUrl: svc.baseUrl };
    const made = fault?.passkey && makePasskey(place, challenge, fault.passkey);
    const step = { code: lastCode, challenge, attestation: made?.attestation };
    return acts.complete(svc, identity, ceremony, step, fault);
  };
}

/** A whole ceremony, with at most one fault. */
export async function playCeremony(stage: Stage, fault: Partial<Fault> = {}): Promise<FinalRequest> {
  const ceremony = await stage.openCeremony();
  if (fault.wrongCode) return () => acts.pairDevice(stage.svc, ceremony, newFingerprint(), fault);
  const complete = await beforeCompletion(stage, ceremony);
  return () => complete(fault);
}

export async function ensureState(
  { svc }: Stage,
  { sessionId }: OpenCeremony,
  expected: string,
): Promise<void> {
  const { state } = await svc.registrations.get(sessionId);
  ensure(state === expected, `The ceremony is ${state}, not ${expected}.`);
}

/** The fifth failure ends a ceremony, so a correct sixth attempt fails too. */
export async function closeAfterFive(stage: Stage, failing: Partial<Fault>): Promise<FinalRequest> {
  const ceremony = await stage.openCeremony();
  const complete = await beforeCompletion(stage, ceremony);
  for (let failures = 0; failures < 5; failures++) {
    await ensureState(stage, ceremony, 'awaiting_verification');
    const { status } = await errorOf(complete(failing));
    ensure(status === 404, 'A failing proof was not rejected with 404.');
  }
  await ensureState(stage, ceremony, 'abandoned');
  return complete;
}

/** A phone that is already a device of the account can't be paired again. */
export async function pairTwice(stage: Stage): Promise<FinalRequest> {
  const fingerprint = newFingerprint();
  await beforeCompletion(stage, await stage.openCeremony(), fingerprint);
  const ceremony = await stage.openCeremony();
  return () => acts.pairDevice(stage.svc, ceremony, fingerprint);
}
