import type {
  IdentityAddParams,
  IdentityLeaf,
  IdentityRegisterParams,
  IdentityRotateParams,
  IdentityVerifyParams,
  SessionTokens,
} from '../generated/api.js';
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
    { did, proof, publicSignals, nonce, timestamp, attestation }: IdentityVerifyParams,
    options?: RequestOptions,
  ): Promise<SessionTokens> {
    const body = { did, proof, publicSignals, nonce, timestamp, attestation };
    return this.#transport.call('verifyIdentity', { body }, options);
  }

  /** Adds an identity to the person of another one, with `prover.proveAdd`. Not retried automatically. Scope `zkp:verify`. */
  add(
    {
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
    }: IdentityAddParams,
    options?: RequestOptions,
  ): Promise<Reply<'addIdentity'>> {
    const own = { did, proof, publicSignals, nonce, timestamp };
    const body = { ...own, newDid, newCommitment, newProof, newPublicSignals, additionId, attestation };
    return this.#transport.call('addIdentity', { body }, options);
  }

  /**
   * Replaces an identity's commitment, with `prover.proveRotate`, and opens a session. All its other sessions end. Not retried
   * automatically. Scope `zkp:verify`.
   */
  rotate(
    {
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      newCommitment,
      newProof,
      newPublicSignals,
      attestation,
    }: IdentityRotateParams,
    options?: RequestOptions,
  ): Promise<Reply<'rotateIdentity'>> {
    const own = { did, proof, publicSignals, nonce, timestamp };
    const body = { ...own, newCommitment, newProof, newPublicSignals, attestation };
    return this.#transport.call('rotateIdentity', { body }, options);
  }

  /** The W3C DID resolution result of a DID. Scope `identity:read`. */
  document(did: string, options?: RequestOptions): Promise<Reply<'getIdentityDocument'>> {
    return this.#transport.call('getIdentityDocument', { path: { did } }, options);
  }

  /** What the audit chain says of an identity's newest commitment, with all values that its hash covers. Scope `identity:read`. */
  async leaf(did: string, options?: RequestOptions): Promise<IdentityLeaf> {
    return (await this.#transport.call('getIdentityLeaf', { path: { did } }, options)).leaf;
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
