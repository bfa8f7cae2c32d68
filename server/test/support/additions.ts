import { randomBytes, randomUUID } from 'node:crypto';
import { commitToIdentity } from '@svc/sdk/prover';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Environment } from '../../src/model/environment.js';
import { type Person, registerPerson, type Use, useOf } from './phone.js';
import { proofs } from './phones.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';

const ADDITIONS = '/v1/phone/additions';

export const hex32 = (): string => randomBytes(32).toString('hex');

/** An addition as the two phones hold it. */
export interface Meeting {
  readonly id: string;
  readonly code: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly old: Person;
  readonly joining: PhoneIdentity;
  readonly a: string;
  readonly b: string;
  /** What the old phone reveals with `a`. */
  readonly use: { readonly nonce: string; readonly timestamp: number };
}

/** Calls an endpoint as a phone: without a key, from an address of its own. */
export const onPhone = (
  service: Service,
  path: string,
  body?: object,
  address = freshAddress(),
): Promise<Reply> =>
  service.call(body === undefined ? 'GET' : 'POST', `${ADDITIONS}${path}`, {
    ...(body && { body }),
    address,
  });

/** A body that opens an addition. `a` is what the phone drew. */
export const openingBody = (service: Service, phone: PhoneIdentity, a: string, use: Use) =>
  proofs.proveRendezvous(phone, useOf(service, use), a);

/** A person's phone opens an addition that nobody has joined. */
export async function openMeeting(
  service: Service,
  account: Account,
  { key = account.key, old }: { key?: string; old?: Person } = {},
): Promise<Meeting> {
  const environment = key.startsWith('svc_test_') ? 'test' : 'live';
  const person = old ?? (await registerPerson(service, key));
  const { tenantId } = account;
  const a = hex32();
  const body = await openingBody(service, person, a, { tenantId, environment });
  const reply = await onPhone(service, '', body);
  if (reply.status !== 201) throw new Error(`opening an addition returned ${reply.status} ${reply.text}`);
  const { id, code } = reply.body.addition;
  const use = { nonce: randomUUID(), timestamp: service.clock.now() };
  return { id, code, tenantId, environment, old: person, joining: createIdentity(), a, b: hex32(), use };
}

export const joinBody = ({ joining, b }: Meeting) => ({ c: commitToIdentity(joining, b) });
export const revealBody = ({ a, use }: Meeting) => ({ a, ...use });
/** `use` is what the new phone's proof is bound to. Default: what the old phone reveals. */
export async function answerBody(meeting: Meeting, use = meeting.use) {
  const { tenantId, environment, old, joining, b } = meeting;
  return { ...(await proofs.proveJoin(joining, { tenantId, environment, ...use }, old.did)), b };
}

export type Step = 'join' | 'reveal' | 'open' | 'reject';

/** One step of an addition, as an honest phone does it. */
export async function takeStep(service: Service, meeting: Meeting, step: Step): Promise<Reply> {
  if (step === 'join') return onPhone(service, `/${meeting.code}/join`, joinBody(meeting));
  if (step === 'reveal') return onPhone(service, `/${meeting.id}/reveal`, revealBody(meeting));
  if (step === 'open') return onPhone(service, `/${meeting.id}/open`, await answerBody(meeting));
  return onPhone(service, `/${meeting.id}/reject`, { a: meeting.a });
}

/** An addition after these steps. */
export async function meetingAfter(service: Service, account: Account, ...steps: Step[]): Promise<Meeting> {
  const meeting = await openMeeting(service, account);
  for (const step of steps) {
    const reply = await takeStep(service, meeting, step);
    if (reply.status >= 400) throw new Error(`${step} returned ${reply.status} ${reply.text}`);
  }
  return meeting;
}
