import type { RecoveryContestParams } from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';

/** `svc.phone.recoveries`: recoveries of the phone's person, which `svc.phone.identity.list` returns. */
export class PhoneRecoveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Contests a recovery that the person did not ask for, with `prover.proveContest`. A phone in force ends it. One that was revoked recently
   * holds it until the company confirms it.
   */
  async contest(
    {
      recoveryId,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
    }: RecoveryContestParams & { readonly recoveryId: string },
    options?: RequestOptions,
  ): Promise<Reply<'contestRecovery'>['recovery']> {
    const input = { path: { id: recoveryId }, body: { did, proof, publicSignals, nonce, timestamp } };
    return (await this.#transport.call('contestRecovery', input, options)).recovery;
  }
}
