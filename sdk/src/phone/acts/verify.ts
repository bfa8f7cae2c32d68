import type { AttestationParams } from '../../generated/api.js';
import type { VerifyChallenge } from '../../identity-prover.js';
import type { VerifyBody } from '../../phone-identity.js';
import { identityOf, type PhonePorts, type Watch } from '../ports.js';
import type { Identity, Secret } from '../records.js';
import { asPerson, signed, signsAlways } from '../send.js';

/**
 * The body of a verification, for a server with an API key that sends it with `svc.identity.verify`: its nonce comes from there. After a
 * rotation whose response was lost, the phone first finds out which of its secrets is in force.
 */
export async function verify<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  challenge: VerifyChallenge,
  watch: Watch = {},
  { isAttested }: { readonly isAttested?: boolean } = {},
): Promise<VerifyBody & { readonly attestation?: AttestationParams }> {
  const identity = await inForce(phone, id, watch);
  watch.onStage?.('unlocking');
  const proof = await phone.prover.prove(identity, { kind: 'verify', challenge }, (stage) =>
    watch.onStage?.(stage),
  );
  if (!(isAttested ?? signsAlways(phone, identity))) return proof;
  watch.onStage?.('signing');
  const of = { purpose: 'verify', subject: challenge.nonce } as const;
  return { ...proof, attestation: await signed(phone, identity, of, proof) };
}

/** The identity with the secret that the service accepts. Asks it only if there are two. */
async function inForce<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch,
): Promise<Identity<S>> {
  const identity = await identityOf(phone, id);
  if (identity.renewal === undefined) return identity;
  return asPerson(phone, id, { kind: 'identities' }, watch, async (proof, version) => {
    await phone.service.phone.identity.list(proof, { signal: watch.signal });
    return version;
  });
}
