import { type AttestedPurpose, assertionDigest } from '../attestation.js';
import type { AttestationParams, Groth16Proof } from '../generated/api.js';
import type { PhoneUse } from '../identity-proofs.js';
import { isSvcError, SvcError } from '../transport/errors.js';
import { withKeyInForce } from './in-force.js';
import { type PhonePorts, type Watch, whenOnline } from './ports.js';
import type { Identity, Place, Secret } from './records.js';
import type { PersonWork, ProofWork, Results } from './work.js';

/** @internal A nonce and the service's time for one proof. The phone's own clock may be wrong. */
export async function createUse<S extends Secret>(
  phone: PhonePorts<S>,
  { tenantId, environment }: Place,
  watch: Watch,
): Promise<PhoneUse> {
  await whenOnline(phone, watch);
  return phone.service.phone.createUse({ tenantId, environment }, { signal: watch.signal });
}

/** @internal Proves, and waits for a network to send it. */
export async function proveToSend<S extends Secret, W extends ProofWork<S>>(
  phone: PhonePorts<S>,
  secret: S,
  work: W,
  watch: Watch,
): Promise<Results[W['kind']]> {
  const proof = await phone.prover.prove(secret, work, (stage) => watch.onStage?.(stage));
  await whenOnline(phone, watch);
  watch.onStage?.('sending');
  return proof;
}

type Without<W, K extends PropertyKey> = W extends unknown ? Omit<W, K> : never;

/** @internal Proves with the secret in force that the phone is its person's, and sends that. */
export function asPerson<S extends Secret, K extends PersonWork<S>['kind'], T>(
  phone: PhonePorts<S>,
  id: string,
  work: Without<Extract<PersonWork<S>, { kind: K }>, 'use'> & { readonly kind: K },
  watch: Watch,
  send: (proof: Results[K], version: Identity<S>) => Promise<T>,
): Promise<T> {
  watch.onStage?.('unlocking');
  return withKeyInForce(phone, id, async (version) => {
    const use = await createUse(phone, version, watch);
    const whole = { ...work, use } as unknown as ProofWork<S> & { readonly kind: K };
    return send(await proveToSend(phone, version, whole, watch), version);
  });
}

interface SentProof {
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly string[];
}

/** What a proof is for. */
export interface Asserted {
  readonly purpose: AttestedPurpose;
  /** The nonce, or the id of the session or the approval. */
  readonly subject: string;
  /** Whether the service has said that it wants an assertion. */
  readonly isRequired?: boolean | undefined;
}

/** The service rejected a proof that the phone's attestation key signed. The key may be revoked. */
export class AttestationNotAccepted extends SvcError {
  constructor(cause: SvcError) {
    super(
      'verification_failed',
      'The service did not accept the proof with this phone’s attestation key, which may be revoked.',
      { ...cause, cause },
    );
  }
}

/** The company asks for a phone that signs its proofs, and this identity has no key for that. */
export class NoAttestationKey extends SvcError {
  constructor(cause?: SvcError) {
    const message =
      'The company asks for a phone that signs its proofs, and this identity has no key for that.';
    super('device_attestation_required', cause?.message ?? message, { ...cause, cause });
  }
}

/**
 * @internal Sends a proof, with an assertion by the identity's key if the company asks for one. The person then unlocks the phone once
 * more, because the assertion is over the proof.
 */
export async function sendAttested<S extends Secret, T>(
  phone: PhonePorts<S>,
  identity: Identity<S>,
  { isRequired = signsAlways(phone, identity), ...of }: Asserted,
  proof: SentProof,
  watch: Watch,
  send: (attestation?: AttestationParams) => Promise<T>,
): Promise<T> {
  try {
    if (!isRequired) return await send();
  } catch (error) {
    if (!isSvcError(error, 'device_attestation_required')) throw error;
    if (phone.keys === undefined || identity.attestationKeyId === undefined)
      throw new NoAttestationKey(error);
  }
  watch.onStage?.('signing');
  const attestation = await signed(phone, identity, of, proof);
  watch.onStage?.('sending');
  try {
    return await send(attestation);
  } catch (error) {
    throw isSvcError(error, 'verification_failed') ? new AttestationNotAccepted(error) : error;
  }
}

/** @internal */
export const signsAlways = <S extends Secret>({ keys }: PhonePorts<S>, identity: Identity<S>): boolean =>
  keys?.signsAlways === true && identity.attestationKeyId !== undefined;

/** @internal An assertion over a proof by the identity's key. @throws NoAttestationKey if it has none */
export async function signed<S extends Secret>(
  { keys }: PhonePorts<S>,
  identity: Identity<S>,
  { purpose, subject }: Asserted,
  { proof, publicSignals }: SentProof,
): Promise<AttestationParams> {
  const { attestationKeyId: keyId, tenantId, environment } = identity;
  if (keys === undefined || keyId === undefined) throw new NoAttestationKey();
  const asserted = { tenantId, environment, purpose, subject, proof, publicSignals };
  return { keyId, assertion: await keys.sign(identity, assertionDigest(asserted), asserted) };
}
