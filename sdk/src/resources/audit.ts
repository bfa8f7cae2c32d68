import {
  type AuditCheckOptions,
  type AuditExportEnd,
  type AuditVerdict,
  verifyAuditChain,
} from '../codecs/audit-chain.js';
import {
  type AnchoredRecord,
  type AnchoredRecordListParams,
  type AnchoredRecordPage,
  type AnchorProofGetParams,
  type AuditConsistency,
  type AuditConsistencyGetParams,
  type AuditEvent,
  type AuditEventListParams,
  type AuditEventPage,
  type AuditProof,
  type AuditProofGetParams,
  ROUTES,
} from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import { readLines } from '../transport/lines.js';
import type { Environment } from '../transport/options.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.audit`: the hash-chained record of every write. */
export class Audit {
  readonly #transport: Transport;
  readonly #session: Environment | undefined;
  readonly #environment: Environment | undefined;

  /** `session`: the environment that a page of the service chose. A key has its own. */
  constructor(transport: Transport, session?: Environment) {
    this.#transport = transport;
    this.#session = session;
    this.#environment = session ?? transport.settings.environment;
  }

  /** All events that match the filter, newest first. Each page contains the chain's signed head. */
  list(filter: AuditEventListParams = {}, options?: RequestOptions): Pages<AuditEvent, AuditEventPage> {
    const name = this.#session === undefined ? 'listAuditEvents' : 'consoleListAuditEvents';
    return listOf(this.#transport, name, 'audit', { ...filter, environment: this.#session }, options);
  }

  /**
   * The whole chain, oldest first, then `{ environment, head }`.
   * @throws SvcError `connection_cut` when the export ends before its head
   */
  async *export(options: RequestOptions = {}): AsyncGenerator<AuditEvent | AuditExportEnd, void, undefined> {
    const query = { environment: this.#session };
    const response = await this.#transport.open('exportAuditEvents', { query }, options);
    const cut = (cause?: unknown) =>
      new SvcError('connection_cut', 'The audit export ended before its head. Request it again.', {
        operation: ROUTES.exportAuditEvents.route,
        cause,
      });
    try {
      for await (const line of readLines(response)) {
        const row = JSON.parse(line) as AuditEvent | AuditExportEnd;
        yield row;
        if ('head' in row) return;
      }
    } catch (error) {
      throw options.signal?.aborted ? options.signal.reason : cut(error);
    }
    throw cut();
  }

  /**
   * Reads the whole export and verifies every hash, every link, and the signature of its head. Pass the account's id and a head
   * that you saved, if you have them.
   * @throws SvcError `connection_cut` when the export ends before its head
   */
  verify(options: RequestOptions & AuditCheckOptions = {}): Promise<AuditVerdict> {
    return verifyAuditChain(this.export(options), { environment: this.#environment, ...options });
  }

  /**
   * The proof that the entry `seq` is in the signed tree over the chain, or in the tree of the first `size` entries. Default: the newest
   * entry. docs/audit.md says how to check it. Scope `audit:read`.
   */
  proof(of: AuditProofGetParams = {}, options?: RequestOptions): Promise<AuditProof> {
    return this.#transport.call('getAuditProof', { query: this.#scoped(of) }, options);
  }

  /** The proof that the tree of the first `to` entries begins with the one of `from`. Default of `to`: the newest signed tree. */
  consistency(of: AuditConsistencyGetParams, options?: RequestOptions): Promise<AuditConsistency> {
    return this.#transport.call('getAuditConsistency', { query: this.#scoped(of) }, options);
  }

  /**
   * The newest signed tree as a note for witnesses (c2sp.org/tlog-checkpoint).
   * @throws SvcError `endpoint_disabled` unless the security policy has `audit_checkpoint: true`
   */
  async checkpoint(options: RequestOptions = {}): Promise<string> {
    const response = await this.#transport.open('getAuditCheckpoint', { query: this.#scoped({}) }, options);
    return response.text();
  }

  #scoped<T extends object>(query: T): T & { readonly environment?: Environment } {
    return this.#session === undefined ? query : { ...query, environment: this.#session };
  }

  /** What is anchored on the blockchain, or will be, newest first. Scope `audit:read`. */
  listAnchors(
    filter: AnchoredRecordListParams = {},
    options?: RequestOptions,
  ): Pages<AnchoredRecord, AnchoredRecordPage> {
    return listOf(this.#transport, 'listAnchors', 'anchors', this.#scoped(filter), options);
  }

  /**
   * The proof that a record is on the blockchain: the identity with that `did`, the first anchored head that covers the audit
   * event `seq`, the record with that `id` of
   * `listAnchors`, or the newest head. `svc anchors verify` checks it without the service. Scope `audit:read`.
   * @throws SvcError `anchor_not_found` if the record is not anchored yet
   */
  getAnchorProof(of: AnchorProofGetParams = {}, options?: RequestOptions): Promise<Reply<'getAnchorProof'>> {
    return this.#transport.call('getAnchorProof', { query: this.#scoped(of) }, options);
  }
}
