import type { Recovery, RecoveryListParams, RecoveryPage } from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/**
 * `svc.recoveries`: new phones that wait to replace all phones of a person. Open one with `svc.registrations.create({ userId })`. All
 * methods need the scope `users:recover`.
 */
export class Recoveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All recoveries that match the filter, newest first. */
  list(filter: RecoveryListParams = {}, options?: RequestOptions): Pages<Recovery, RecoveryPage> {
    return listOf(this.#transport, 'listRecoveries', 'recoveries', filter, options);
  }

  /** Lifts the hold of a contested recovery. It never completes one earlier. */
  async confirm(id: string, options?: RequestOptions): Promise<Recovery> {
    return (await this.#transport.call('confirmRecovery', { path: { id } }, options)).recovery;
  }

  /** Ends a recovery. The person's phones stay in force. */
  async cancel(id: string, options?: RequestOptions): Promise<Recovery> {
    return (await this.#transport.call('cancelRecovery', { path: { id } }, options)).recovery;
  }
}
