import type {
  Verification,
  VerificationCreateParams,
  VerificationListParams,
  VerificationPage,
  VerificationRecordProof,
  VerificationRecordProofGetParams,
} from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.verifications`: recorded verifications and their results. */
export class Verifications {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Records a verification from another source. Retried safely. Scope `verifications:write`. */
  async create(verification: VerificationCreateParams, options?: RequestOptions): Promise<Verification> {
    return (await this.#transport.call('createVerification', { body: verification }, options)).verification;
  }

  /** A verification by id. Scope `verifications:read`. */
  async get(verificationId: string, options?: RequestOptions): Promise<Verification> {
    return (await this.#transport.call('getVerification', { path: { verificationId } }, options))
      .verification;
  }

  /**
   * What the verification says, with the proof that the audit chain has it so. `from`: the size of a tree that you kept. `verifyRecord` of
   * `@svc/sdk/receipts` checks it. Scopes `verifications:read` and `audit:read`.
   */
  proof(
    verificationId: string,
    query: VerificationRecordProofGetParams = {},
    options?: RequestOptions,
  ): Promise<VerificationRecordProof> {
    return this.#transport.call('getVerificationProof', { path: { verificationId }, query }, options);
  }

  /** All verifications that match the filter, newest first. Scope `verifications:read`. */
  list(filter: VerificationListParams = {}, options?: RequestOptions): Pages<Verification, VerificationPage> {
    return listOf(this.#transport, 'listVerifications', 'verifications', filter, options);
  }
}
