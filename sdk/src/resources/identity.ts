import type { IdentityRegisterParams, IdentityVerifyParams, SessionTokens } from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** `svc.identity`: DIDs and the proofs that they answer for. */
export class Identity {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Registers a DID and its commitment, and the person behind it. Only the named fields are sent, so that a phone's
   * identity may be given whole: its secret stays here. Repeated safely. Scope `zkp:register`.
   */
  register(
    { did, commitment, externalId, attestation }: IdentityRegisterParams,
    options?: RequestOptions,
  ): Promise<Reply<'registerIdentity'>> {
    const body = { did, commitment, externalId, attestation };
    return this.#transport.call('registerIdentity', { body }, options);
  }

  /** What the next proof is to be bound to; good for 300 seconds and one success. Scope `nonce:create`. */
  createNonce(options?: RequestOptions): Promise<Reply<'createNonce'>> {
    return this.#transport.call('createNonce', {}, options);
  }

  /**
   * Verifies a proof and opens a session. Not repeated by itself: a proof is good once. Scope `zkp:verify`.
   * @throws SvcError `verification_failed`, the same for every cause; the message says what can be seen from here
   */
  verify(
    { did, proof, publicSignals, nonce, timestamp }: IdentityVerifyParams,
    options?: RequestOptions,
  ): Promise<SessionTokens> {
    const body = { did, proof, publicSignals, nonce, timestamp };
    return this.#transport.call('verifyIdentity', { body }, options);
  }

  /** Revokes a DID and ends its sessions; the DID stays taken. Scope `zkp:register`. */
  async revoke(did: string, options?: RequestOptions): Promise<Reply<'revokeIdentity'>['identity']> {
    return (await this.#transport.call('revokeIdentity', { body: { did } }, options)).identity;
  }

  /** Names the circuit, its public files and whose set-up they come from. Scope `zkp:verify`. */
  getCircuitInfo(options?: RequestOptions): Promise<Reply<'getCircuitInfo'>> {
    return this.#transport.call('getCircuitInfo', {}, options);
  }
}
