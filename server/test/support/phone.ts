import { randomUUID } from 'node:crypto';
import type { PhoneUse } from '@svc/sdk/prover';
import { didHash } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Environment } from '../../src/model/environment.js';
import { proofs } from './phones.js';
import { type Account, type Reply, type Service, sharedProver } from './service.js';

/** A registered person whose phone generates real proofs. */
export interface Person extends PhoneIdentity {
  readonly userId: string;
}

export async function registerPerson(service: Service, key: string, extra: object = {}): Promise<Person> {
  const identity = createIdentity();
  const body = { did: identity.did, commitment: identity.commitment, ...extra };
  const reply = await service.call('POST', '/v1/identity/register', { as: key, body });
  if (reply.status !== 201) throw new Error(`registering returned ${reply.status} ${reply.text}`);
  return { ...identity, userId: reply.body.userId };
}

export interface Use {
  readonly tenantId: string;
  readonly environment?: Environment;
  readonly nonce?: string;
  readonly timestamp?: number;
}

/** One nonce and time, by the service's clock. */
export const useOf = (
  service: { readonly clock: Pick<Service['clock'], 'now'> },
  { tenantId, environment = 'live', nonce = randomUUID(), timestamp = service.clock.now() }: Use,
): PhoneUse => ({ tenantId, environment, nonce, timestamp });

/** A body for /v1/identity/verify, with a fresh proof bound to that tenant, environment, nonce and time. */
export const proveFor = (service: Service, identity: PhoneIdentity, use: Use) =>
  proofs.proveVerify(identity, useOf(service, use));

/** A proof of the plain didHash, not bound to a use. */
export async function proveUnbound(service: Service, identity: PhoneIdentity) {
  const { proof, publicSignals } = await (await sharedProver()).prove({
    biometricSecret: identity.biometricSecret,
    salt: identity.salt,
    didHash: didHash(identity.did),
  });
  return { did: identity.did, proof, publicSignals, nonce: randomUUID(), timestamp: service.clock.now() };
}

/** An unbound proof without a DID, as the deprecated endpoints accept it. */
export async function proveAnonymously(service: Service, identity = createIdentity()) {
  const { did: _, ...body } = await proveUnbound(service, identity);
  return body;
}

/** Registers a person and verifies with a proof. Returns the response with the tokens. */
export async function openSession(
  service: Service,
  account: Account,
): Promise<{ person: Person; reply: Reply }> {
  const person = await registerPerson(service, account.key);
  const body = await proveFor(service, person, { tenantId: account.tenantId });
  const reply = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
  if (reply.status !== 200) throw new Error(`verifying returned ${reply.status} ${reply.text}`);
  return { person, reply };
}
