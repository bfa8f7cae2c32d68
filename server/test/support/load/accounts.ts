import { didHash } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { realProver } from '../service.js';
import type { Journal, Party } from './journal.js';

export const PASSWORD = 'correct horse 7 battery staple';

/** An account with everything that a visitor uses of it. */
export interface Host extends Party {
  /** A key with every scope that the visitors need. */
  readonly allKey: string;
  readonly email: string;
  readonly deviceId: string;
  /** A person who only sends bound proofs. */
  readonly phone: PhoneIdentity & { readonly userId: string };
  /** Where the account's webhooks deliver to. */
  readonly receiver: string;
}

/** Creates an account with one person whose unbound proof can be reused. */
export async function createParty(journal: Journal, number: number): Promise<Party> {
  const signup = {
    email: `owner-${number}@example.com`,
    password: PASSWORD,
    companyName: 'Example',
  };
  const created = await journal.write('POST', '/api/console/signup', { body: signup, events: { 201: 2 } });
  const { token, tenant, apiKey } = created.body;
  await journal.write('PUT', '/api/console/security-policy', {
    as: token,
    body: { security_policy: { allow_unbound_proofs: true } },
    events: { 200: 1 },
  });
  const identity = createIdentity();
  const { did, commitment, biometricSecret, salt } = identity;
  const registered = await journal.write('POST', '/v1/identity/register', {
    as: apiKey.key,
    body: { did, commitment },
    events: { 201: 1 },
  });
  const proof = await (await realProver()).prove({ biometricSecret, salt, didHash: didHash(did) });
  const person = { ...identity, userId: registered.body.userId };
  return { tenantId: tenant.id, token, key: apiKey.key, person, proof };
}

/** Adds to an account what its visitors use. */
export async function createHost(
  journal: Journal,
  party: Party,
  { email, receiver }: { readonly email: string; readonly receiver: string },
): Promise<Host> {
  const created = async (path: string, as: string, body: object) =>
    (await journal.write('POST', path, { as, body, events: { 201: 1 } })).body;
  const scopes = [
    ...['devices:read', 'users:read', 'verifications:read', 'verifications:write', 'audit:read'],
    ...['zkp:verify', 'nonce:create', 'events:read', 'webhooks:write'],
    ...['proof_pairing:create', 'proof_pairing:claim'],
  ];
  const { apiKey } = await created('/api/console/keys', party.token, {
    name: 'Visitors',
    environment: 'live',
    scopes,
  });
  await created('/v1/webhooks', apiKey.key, { url: receiver, events: ['device.created'] });
  const { device } = await created('/v1/devices', party.key, { name: 'Gate' });
  const identity = createIdentity();
  const { did, commitment } = identity;
  const { userId } = await created('/v1/identity/register', party.key, { did, commitment });
  const phone = { ...identity, userId };
  return { ...party, allKey: apiKey.key, email, deviceId: device.id, phone, receiver };
}
