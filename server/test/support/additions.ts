import { randomBytes, randomUUID } from 'node:crypto';
import { joinBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { commitToOpening, hashOfA } from '@svc/zk/rendezvous';
import type { Environment } from '../../src/model/environment.js';
import { type Person, registerPerson, type Use } from './phone.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';
import { proveBind, proveRendezvous } from './several-phones.js';

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

/** A body that opens an addition. */
export const openingBody = async (service: Service, phone: PhoneIdentity, aHash: string, use: Use) => ({
  tenantId: use.tenantId,
  environment: use.environment ?? 'live',
  aHash,
  ...(await proveRendezvous(service, phone, aHash, use)),
});

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
  const body = await openingBody(service, person, hashOfA(a), { tenantId, environment });
  const reply = await onPhone(service, '', body);
  if (reply.status !== 201) throw new Error(`opening an addition returned ${reply.status} ${reply.text}`);
  const { id, code } = reply.body.addition;
  const use = { nonce: randomUUID(), timestamp: service.clock.now() };
  return { id, code, tenantId, environment, old: person, joining: createIdentity(), a, b: hex32(), use };
}

const openingOf = ({ joining: { did: newDid, commitment: newCommitment }, b }: Meeting) => ({
  newDid,
  newCommitment,
  b,
});

export const joinBody = (meeting: Meeting) => ({ c: commitToOpening(openingOf(meeting)) });
export const revealBody = ({ a, use }: Meeting) => ({ a, ...use });
/** `use` is what the new phone's proof is bound to. Default: what the old phone reveals. */
export async function answerBody(meeting: Meeting, use = meeting.use) {
  const { tenantId, environment, old, joining } = meeting;
  const bound = { tenantId, environment, nonce: use.nonce, timestampMs: use.timestamp };
  const bind = joinBind({ ...bound, did: old.did, newCommitment: joining.commitment });
  const { proof: newProof, publicSignals: newPublicSignals } = await proveBind(joining, bind);
  return { ...openingOf(meeting), newProof, newPublicSignals };
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
