import { randomUUID } from 'node:crypto';
import {
  addBind,
  boundSignal,
  browsersBind,
  contestBind,
  didHash,
  forgetBrowserBind,
  identitiesBind,
  joinBind,
  rendezvousBind,
  revokeBind,
  rotateBind,
} from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Person, Use } from './phone.js';
import { type Account, type Reply, type Service, sharedProver } from './service.js';

/** The fields that every bind of a phone's own endpoints begins with. */
type BoundUse = Parameters<typeof identitiesBind>[0];

/** A service, or the clock of one in another process. */
type Clocked = { readonly clock: Pick<Service['clock'], 'now'> };

/** One nonce and time, for the service's clock. */
const useOf = (
  service: Clocked,
  { tenantId, environment = 'live', nonce = randomUUID(), timestamp = service.clock.now() }: Use,
) => ({ nonce, timestamp, bound: { tenantId, environment, nonce, timestampMs: timestamp } });

/** A proof of the phone's secret for that bind. */
export async function proveBind({ did, biometricSecret, salt }: PhoneIdentity, bind: bigint) {
  const { proof, publicSignals } = await (await sharedProver()).prove({
    biometricSecret,
    salt,
    didHash: boundSignal(didHash(did), bind),
  });
  return { did, proof, publicSignals };
}

/** The same phone with a new secret, as it is after a rotation. */
export const withNewSecret = <P extends PhoneIdentity>(phone: P): P => ({
  ...phone,
  ...createIdentity(),
  did: phone.did,
});

/** A body for the endpoints that want one proof. */
export async function single(
  service: Clocked,
  phone: PhoneIdentity,
  use: Use,
  bindOf: (use: BoundUse) => bigint,
) {
  const { nonce, timestamp, bound } = useOf(service, use);
  return { ...(await proveBind(phone, bindOf(bound))), nonce, timestamp };
}

/** As `/v1/identity/add` accepts it: `phone` adds `joining`. */
export async function proveAdd(service: Clocked, phone: PhoneIdentity, joining: PhoneIdentity, use: Use) {
  const { nonce, timestamp, bound } = useOf(service, use);
  const { did: newDid, commitment: newCommitment } = joining;
  const { proof, publicSignals } = await proveBind(phone, addBind({ ...bound, newDid, newCommitment }));
  const joined = await proveBind(joining, joinBind({ ...bound, did: phone.did, newCommitment }));
  return {
    ...{ did: phone.did, nonce, timestamp, proof, publicSignals, newDid, newCommitment },
    ...{ newProof: joined.proof, newPublicSignals: joined.publicSignals },
  };
}

/** As `/v1/identity/rotate` accepts it: `renewed` is the phone with its new secret. */
export async function proveRotation(
  service: Clocked,
  phone: PhoneIdentity,
  renewed: PhoneIdentity,
  use: Use,
) {
  const { nonce, timestamp, bound } = useOf(service, use);
  const { commitment: newCommitment } = renewed;
  const { proof, publicSignals } = await proveBind(phone, rotateBind({ ...bound, newCommitment }));
  const joined = await proveBind(renewed, joinBind({ ...bound, did: phone.did, newCommitment }));
  return {
    ...{ did: phone.did, nonce, timestamp, proof, publicSignals, newCommitment },
    ...{ newProof: joined.proof, newPublicSignals: joined.publicSignals },
  };
}

export const proveRevocation = (service: Clocked, phone: PhoneIdentity, revokedDid: string, use: Use) =>
  single(service, phone, use, (bound) => revokeBind({ ...bound, revokedDid }));

export const proveIdentities = (service: Clocked, phone: PhoneIdentity, use: Use) =>
  single(service, phone, use, identitiesBind);

export const proveBrowsers = (service: Clocked, phone: PhoneIdentity, use: Use) =>
  single(service, phone, use, browsersBind);

export const proveForgetBrowser = (service: Clocked, phone: PhoneIdentity, browserId: string, use: Use) =>
  single(service, phone, use, (bound) => forgetBrowserBind({ ...bound, browserId }));

export const proveContest = (service: Clocked, phone: PhoneIdentity, recoveryId: string, use: Use) =>
  single(service, phone, use, (bound) => contestBind({ ...bound, recoveryId }));

export const proveRendezvous = (service: Clocked, phone: PhoneIdentity, aHash: string, use: Use) =>
  single(service, phone, use, (bound) => rendezvousBind({ ...bound, aHash }));

/** A phone's account in a request without an API key. */
export const accountOf = ({ tenantId, environment = 'live' }: Use) => ({ tenantId, environment });

/** `phone` adds another phone of its person, with the account's key. */
export async function addPhone(service: Service, account: Account, phone: PhoneIdentity): Promise<Person> {
  const joining = createIdentity();
  const body = await proveAdd(service, phone, joining, { tenantId: account.tenantId });
  const reply = await service.call('POST', '/v1/identity/add', { as: account.key, body });
  if (reply.status !== 201) throw new Error(`adding returned ${reply.status} ${reply.text}`);
  return { ...joining, userId: reply.body.userId };
}

/** Replaces the phone's secret, with the account's key. */
export async function rotatePhone<P extends PhoneIdentity>(
  service: Service,
  account: Account,
  phone: P,
): Promise<{ readonly renewed: P; readonly reply: Reply }> {
  const renewed = withNewSecret(phone);
  const body = await proveRotation(service, phone, renewed, { tenantId: account.tenantId });
  const reply = await service.call('POST', '/v1/identity/rotate', { as: account.key, body });
  if (reply.status !== 200) throw new Error(`rotating returned ${reply.status} ${reply.text}`);
  return { renewed, reply };
}
