import type { SessionTokens } from './generated/api.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

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
    { did, commitment, externalId, attestation }: Body<'POST /v1/identity/register'>,
    options?: RequestOptions,
  ): Promise<Reply<'POST /v1/identity/register'>> {
    const body = { did, commitment, externalId, attestation };
    return this.#transport.call('POST /v1/identity/register', { body }, options);
  }

  /** What the next proof is to be bound to; good for 300 seconds and one success. Scope `nonce:create`. */
  nonce(options?: RequestOptions): Promise<Reply<'GET /v1/auth/zkp/nonce'>> {
    return this.#transport.call('GET /v1/auth/zkp/nonce', {}, options);
  }

  /**
   * Verifies a proof and opens a session. Not repeated by itself: a proof is good once. Scope `zkp:verify`.
   * @throws SvcError `verification_failed`, the same for every cause; the message says what can be seen from here
   */
  verify(
    { did, proof, publicSignals, nonce, timestamp }: Body<'POST /v1/identity/verify'>,
    options?: RequestOptions,
  ): Promise<SessionTokens> {
    const body = { did, proof, publicSignals, nonce, timestamp };
    return this.#transport.call('POST /v1/identity/verify', { body }, options);
  }

  /** Revokes a DID and ends its sessions; the DID stays taken. Scope `zkp:register`. */
  async revoke(
    did: string,
    options?: RequestOptions,
  ): Promise<Reply<'POST /v1/identity/revoke'>['identity']> {
    return (await this.#transport.call('POST /v1/identity/revoke', { body: { did } }, options)).identity;
  }

  /** Names the circuit, its public files and whose set-up they come from. Scope `zkp:verify`. */
  circuitInfo(options?: RequestOptions): Promise<Reply<'GET /v1/auth/zkp/circuit-info'>> {
    return this.#transport.call('GET /v1/auth/zkp/circuit-info', {}, options);
  }
}
