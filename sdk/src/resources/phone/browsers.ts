import type { PhoneBrowserForgetParams, PhoneBrowserListParams } from '../../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../../transport/transport.js';

/** `svc.phone.browsers`: the browsers that are known to the phone's person. */
export class PhoneBrowsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The last one used first, with `prover.proveBrowsers`. */
  async list(
    { tenantId, environment, did, proof, publicSignals, nonce, timestamp }: PhoneBrowserListParams,
    options?: RequestOptions,
  ): Promise<Reply<'listPhoneBrowsers'>['browsers']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp };
    return (await this.#transport.call('listPhoneBrowsers', { body }, options)).browsers;
  }

  /** Forgets one, with `prover.proveForgetBrowser`. */
  async forget(
    {
      tenantId,
      environment,
      did,
      proof,
      publicSignals,
      nonce,
      timestamp,
      browserId,
    }: PhoneBrowserForgetParams,
    options?: RequestOptions,
  ): Promise<Reply<'forgetPhoneBrowser'>['browser']> {
    const body = { tenantId, environment, did, proof, publicSignals, nonce, timestamp, browserId };
    return (await this.#transport.call('forgetPhoneBrowser', { body }, options)).browser;
  }
}
