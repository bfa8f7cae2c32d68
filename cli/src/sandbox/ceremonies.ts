import { randomBytes, randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import type { Answer } from '../client.js';
import * as acts from '../phone/acts.js';
import type { Fault } from '../phone/faults.js';
import { insist, type OpenCeremony, type Stage } from './stage.js';

export const newFingerprint = () => `sandbox:${randomBytes(16).toString('hex')}`;

/** A ceremony before its last step. */
export async function beforeCompletion(
  stage: Stage,
  { sessionId, code }: OpenCeremony,
  fingerprint = newFingerprint(),
) {
  const { client } = stage;
  const identity = createIdentity();
  const paired = await acts.expectOk(client, await acts.pairDevice(client, { sessionId, code }, fingerprint));
  const { tenant_id: tenantId, environment, device_id: deviceId } = paired;
  const submitted = await acts.expectOk(
    client,
    await acts.submitCommitment(client, { sessionId, code: paired.next.code }, identity),
  );
  const { code: verifyCode, challenge_nonce: challenge } = submitted.next;
  const ceremony = { sessionId, tenantId, environment };
  return {
    identity,
    deviceId: deviceId as string,
    complete: (fault?: Partial<Fault>) =>
      acts.complete(client, identity, ceremony, { code: verifyCode, challenge }, fault),
  };
}

/** The whole of it, with one fault or none. */
export async function playCeremony(stage: Stage, fault: Partial<Fault> = {}): Promise<Answer> {
  const ceremony = await stage.openCeremony();
  if (fault.wrongCode) return acts.pairDevice(stage.client, ceremony, newFingerprint(), fault);
  return (await beforeCompletion(stage, ceremony)).complete(fault);
}

export async function insistOnState(stage: Stage, { sessionId }: OpenCeremony, state: string): Promise<void> {
  const { session } = await stage.call('GET', `/v1/registrations/${sessionId}`);
  insist(session.state === state, `The ceremony is ${session.state}, not ${state}.`);
}

/** Five failures close a ceremony: the sixth try is right, and comes too late. */
export async function closeAfterFive(stage: Stage, failing: Partial<Fault>): Promise<Answer> {
  const ceremony = await stage.openCeremony();
  const { complete } = await beforeCompletion(stage, ceremony);
  for (let failures = 0; failures < 5; failures++) {
    await insistOnState(stage, ceremony, 'awaiting_verification');
    insist((await complete(failing)).status === 404, 'A failing proof was not refused.');
  }
  await insistOnState(stage, ceremony, 'abandoned');
  return complete();
}

/** A phone that is a device of the account already is not paired a second time. */
export async function pairTwice(stage: Stage): Promise<Answer> {
  const fingerprint = `sandbox:${randomUUID()}`;
  await beforeCompletion(stage, await stage.openCeremony(), fingerprint);
  return acts.pairDevice(stage.client, await stage.openCeremony(), fingerprint);
}
