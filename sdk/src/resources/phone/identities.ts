import type {
  IdentityAddParams,
  IdentityRotateParams,
  PhoneIdentityListParams,
  PhoneIdentityRevokeParams,
} from '../../generated/api.js';
import type { Environment } from '../../transport/options.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';

/** The body of a phone, which names its account because it has no API key. */
export type ByPhone<Body> = Body & { readonly tenantId: string; readonly environment: Environment };

/**
 * `svc.phone.identity`: what a phone can do about its person's identities. Each body comes from the prover. None is retried
 * automatically, because a proof can be used only once.
 */
export class PhoneIdentities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds another phone of the person, with `prover.proveAdd`. `additionId` completes an addition. */
  add(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      newDid,
      newCommitment,
      newProof,
      newPublicSignals,
      additionId,
      attestation,
    }: ByPhone<IdentityAddParams>,
    options?: RequestOptions,
  ): Promise<Reply<'addIdentity'>> {
    const own = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    const body = { ...own, newDid, newCommitment, newProof, newPublicSignals, additionId, attestation };
    return this.#transport.call('addIdentity', { body }, options);
  }

  /**
   * Replaces the identity's secret, with `prover.proveRotate`. Store the new secret first, and keep the old one until this returns: if the
   * response is lost, try the new one with `list`, then the old one.
   */
  rotate(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      newCommitment,
      newProof,
      newPublicSignals,
      attestation,
    }: ByPhone<IdentityRotateParams>,
    options?: RequestOptions,
  ): Promise<Reply<'rotateIdentity'>> {
    const own = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    const body = { ...own, newCommitment, newProof, newPublicSignals, attestation };
    return this.#transport.call('rotateIdentity', { body }, options);
  }

  /** Revokes the phone's own identity or another one of its person, with `prover.proveRevoke`. */
  async revoke(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp, revoke }: PhoneIdentityRevokeParams,
    options?: RequestOptions,
  ): Promise<Reply<'revokePhoneIdentity'>['identity']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp, revoke };
    return (await this.#transport.call('revokePhoneIdentity', { body }, options)).identity;
  }

  /** The identities and open recoveries of the person, with `prover.proveIdentities`. */
  list(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp }: PhoneIdentityListParams,
    options?: RequestOptions,
  ): Promise<Reply<'listPhoneIdentities'>> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    return this.#transport.call('listPhoneIdentities', { body }, options);
  }
}
