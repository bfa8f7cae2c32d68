import type { IdentityRegisterParams, IdentityVerifyParams, SessionTokens } from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** `svc.identity`: DIDs and their proofs. */
export class Identity {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Registers a person's DID and commitment. Sends only the named fields, so you can pass a phone's whole identity without
   * revealing its secret. Retried safely. Scope `zkp:register`.
   */
  register(
    { did, commitment, externalId, attestation }: IdentityRegisterParams,
    options?: RequestOptions,
  ): Promise<Reply<'registerIdentity'>> {
    const body = { did, commitment, externalId, attestation };
    return this.#transport.call('registerIdentity', { body }, options);
  }

  /** Creates a nonce for the next proof, valid for 300 seconds and one successful use. Scope `nonce:create`. */
  createNonce(options?: RequestOptions): Promise<Reply<'createNonce'>> {
    return this.#transport.call('createNonce', {}, options);
  }

  /**
   * Verifies a proof and opens a session. Not retried automatically, because a proof can be used only once. Scope `zkp:verify`.
   * @throws SvcError `verification_failed` for every cause; the message adds what the client can detect
   */
  verify(
    { did, proof, publicSignals, nonce, timestamp }: IdentityVerifyParams,
    options?: RequestOptions,
  ): Promise<SessionTokens> {
    const body = { did, proof, publicSignals, nonce, timestamp };
    return this.#transport.call('verifyIdentity', { body }, options);
  }

  /** Revokes a DID and ends its sessions. The DID can't be registered again. Scope `zkp:register`. */
  async revoke(did: string, options?: RequestOptions): Promise<Reply<'revokeIdentity'>['identity']> {
    return (await this.#transport.call('revokeIdentity', { body: { did } }, options)).identity;
  }

  /** The circuit, its public files and their set-up. Scope `zkp:verify`. */
  getCircuitInfo(options?: RequestOptions): Promise<Reply<'getCircuitInfo'>> {
    return this.#transport.call('getCircuitInfo', {}, options);
  }
}
