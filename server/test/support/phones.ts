import {
  type AttestationKeys,
  type PhonePorts,
  type Place,
  phoneService,
  type Secret,
  type Vault,
} from '@svc/sdk/phone';
import { type PhoneIdentity, phoneProver } from '@svc/sdk/prover';
import { proofsBy } from '../../../sdk/src/identity-prover.js';
import { systemTiming } from '../../../sdk/src/transport/timing.js';
import { memoryVault } from '../../../sdk/test/phone/memory-vault.js';
import type { Environment } from '../../src/model/environment.js';
import { freshAddress, type Service, sharedProver } from './service.js';

/** A secret that is not encrypted. */
export type Open = PhoneIdentity & Secret;

/** The SDK's proofs of a phone, by the prover of the tests. */
export const proofs = proofsBy(async (witness) => (await sharedProver()).prove(witness));

/** The network of a phone: requests go to the service in this process, whose responses have its time. */
export const fetchFrom =
  (service: Service): typeof fetch =>
  async (address, init) => {
    const { pathname, search } = new URL(String(address));
    init?.signal?.throwIfAborted();
    const reply = await service.call(init?.method ?? 'GET', pathname + search, {
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' && { raw: init.body }),
      address: freshAddress(),
    });
    const headers = { date: new Date(service.clock.now()).toUTCString(), 'content-type': 'application/json' };
    return new Response(reply.text, { status: reply.status, headers });
  };

export interface PhoneParts {
  /** Default: an empty one in memory. */
  readonly vault?: Vault<Open>;
  readonly fetch?: typeof fetch;
  readonly keys?: AttestationKeys<Open>;
  /** How far its clock is ahead of the service's, in ms. */
  readonly aheadMs?: number;
}

const asItIs = (secret: Open) => secret;
const prover = phoneProver(async () => proofs, { seal: asItIs, open: asItIs });

/** A phone of the SDK against a service in this process. */
export function phoneOf(
  service: Service,
  { vault = memoryVault(), keys, fetch = fetchFrom(service), aheadMs = 0 }: PhoneParts = {},
): PhonePorts<Open> {
  const { baseUrl } = service.app.deps.config;
  const timing = {
    now: () => service.clock.now() + aheadMs,
    // Time-outs stay, and pauses pass.
    after: (ms: number, run: () => void) => systemTiming.after(ms < 15_000 ? 1 : ms, run),
    random: () => 0,
  };
  return {
    service: phoneService({ baseUrl, fetch, timing, maxRetries: 0 }),
    vault,
    prover,
    ...(keys && { keys }),
  };
}

/** The secret of a stored identity. */
export const secretOf = ({ did, commitment, biometricSecret, salt }: PhoneIdentity): Open => ({
  ...{ did, commitment, biometricSecret, salt },
});

/** The phone of an identity that was registered with an API key. The identity's id is its DID. */
export function phoneWith(
  service: Service,
  { tenantId, environment = 'live' }: Pick<Place, 'tenantId'> & { readonly environment?: Environment },
  secret: PhoneIdentity,
  parts: Omit<PhoneParts, 'vault'> = {},
): PhonePorts<Open> {
  const identity = {
    ...{ id: secret.did, ...secretOf(secret), tenantId, environment, confirmed: true },
    baseUrl: service.app.deps.config.baseUrl,
    fingerprint: 'phone:of-a-test',
    createdAt: new Date(service.clock.now()).toISOString(),
  };
  return phoneOf(service, {
    ...parts,
    vault: memoryVault({ identities: [identity], ceremonies: [], joinings: [] }),
  });
}
