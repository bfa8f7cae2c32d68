import type {
  RegistrationCommitmentSubmitParams,
  RegistrationCompleteParams,
  RegistrationContextParams,
  RegistrationDevicePairParams,
} from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** A phone's part of the ceremony, step by step. */
export class RegistrationSteps {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Before step 1, on the phone: the company and the person. The pair code stays unused, and the desk learns that a phone has opened it. */
  context(
    step: RegistrationContextParams,
    options?: RequestOptions,
  ): Promise<Reply<'getRegistrationContext'>> {
    return this.#transport.call('getRegistrationContext', { body: step }, options);
  }

  /** Step 1, on the phone. The pair code is the only credential. */
  pairDevice(
    step: RegistrationDevicePairParams,
    options?: RequestOptions,
  ): Promise<Reply<'pairRegistrationDevice'>> {
    return this.#transport.call('pairRegistrationDevice', { body: step }, options);
  }

  /** Step 2, on the phone. */
  submitCommitment(
    step: RegistrationCommitmentSubmitParams,
    options?: RequestOptions,
  ): Promise<Reply<'submitRegistrationCommitment'>> {
    return this.#transport.call('submitRegistrationCommitment', { body: step }, options);
  }

  /** Step 3, on the phone. Allows five attempts in total. */
  complete(
    step: RegistrationCompleteParams,
    options?: RequestOptions,
  ): Promise<Reply<'completeRegistration'>> {
    return this.#transport.call('completeRegistration', { body: step }, options);
  }
}
