import type {
  AttestationChallengeParams,
  AttestationKey,
  AttestationKeyCreateParams,
} from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';
import type { ByPhone } from './identities.js';

/** `svc.phone.attestation`: the key that the phone signs its proofs with. */
export class PhoneAttestation {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The challenge that a new key is enrolled with, valid for five minutes and one use. */
  createChallenge(
    { tenantId, environment, did }: ByPhone<AttestationChallengeParams>,
    options?: RequestOptions,
  ): Promise<Reply<'createAttestationChallenge'>> {
    const body = { tenantId, environment, did };
    return this.#transport.call('createAttestationChallenge', { body }, options);
  }

  /**
   * Enrolls a key, by the proof of `prover.proveAttestation`. Store its `id`: it is the `keyId` of every `attestation`.
   * @throws SvcError `attestation_refused` for every cause, also if the identity has a key and `attestation` is missing
   */
  async createKey(
    {
      tenantId,
      environment,
      did,
      challenge,
      platform,
      keyId,
      evidence,
      proof,
      publicSignals,
      attestation,
    }: ByPhone<AttestationKeyCreateParams>,
    options?: RequestOptions,
  ): Promise<AttestationKey> {
    const own = { tenantId, environment, did, proof, publicSignals };
    const body = { ...own, challenge, platform, keyId, evidence, attestation };
    return (await this.#transport.call('createAttestationKey', { body }, options)).attestationKey;
  }
}
