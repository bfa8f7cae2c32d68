import type { Verification } from './generated/api.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

/** `svc.verifications`: what was checked, and how it ended. */
export class Verifications {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Records a verification that was made elsewhere. Repeated safely. Scope `verifications:write`. */
  async create(
    verification: Body<'POST /v1/verifications'>,
    options?: RequestOptions,
  ): Promise<Verification> {
    return (await this.#transport.call('POST /v1/verifications', { body: verification }, options))
      .verification;
  }

  /** A verification by id. Scope `verifications:read`. */
  async get(verificationId: string, options?: RequestOptions): Promise<Verification> {
    return (
      await this.#transport.call(
        'GET /v1/verifications/{verificationId}',
        { path: { verificationId } },
        options,
      )
    ).verification;
  }

  /** All verifications that fit the filter, newest first. Scope `verifications:read`. */
  list(
    filter: ListFilter<'GET /v1/verifications'> = {},
    options?: RequestOptions,
  ): Pages<Verification, Reply<'GET /v1/verifications'>> {
    return listOf(this.#transport, 'GET /v1/verifications', 'verifications', filter, options);
  }
}
