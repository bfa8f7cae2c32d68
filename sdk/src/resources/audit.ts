import {
  type AuditCheckOptions,
  type AuditExportEnd,
  type AuditVerdict,
  verifyAuditChain,
} from '../codecs/audit-chain.js';
import {
  type AnchorProofGetParams,
  type AuditEvent,
  type AuditEventListParams,
  type AuditEventPage,
  ROUTES,
} from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import { readLines } from '../transport/lines.js';
import type { Environment } from '../transport/options.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

interface AuditOperations {
  readonly list: 'listAuditEvents' | 'consoleListAuditEvents';
  readonly export: 'exportAuditEvents' | 'consoleExportAuditEvents';
  readonly query: { readonly environment?: Environment };
}

/** With an API key, which has its own environment. Scope `audit:read`. */
const BY_KEY: AuditOperations = { list: 'listAuditEvents', export: 'exportAuditEvents', query: {} };

/** @internal With a console token. Every call names the environment. */
export const auditInConsole = (environment: Environment): AuditOperations => ({
  list: 'consoleListAuditEvents',
  export: 'consoleExportAuditEvents',
  query: { environment },
});

/** `svc.audit`: the hash-chained record of every write. */
export class Audit {
  readonly #transport: Transport;
  readonly #operations: AuditOperations;
  readonly #environment: Environment | undefined;

  constructor(transport: Transport, operations: AuditOperations = BY_KEY) {
    this.#transport = transport;
    this.#operations = operations;
    this.#environment = operations.query.environment ?? transport.settings.environment;
  }

  /** All events that match the filter, newest first. Each page contains the chain's signed head. */
  list(filter: AuditEventListParams = {}, options?: RequestOptions): Pages<AuditEvent, AuditEventPage> {
    const { list, query } = this.#operations;
    return listOf(this.#transport, list, 'audit', { ...filter, ...query }, options);
  }

  /**
   * The whole chain, oldest first, then `{ environment, head }`.
   * @throws SvcError `connection_cut` when the export ends before its head
   */
  async *export(options: RequestOptions = {}): AsyncGenerator<AuditEvent | AuditExportEnd, void, undefined> {
    const { export: name, query } = this.#operations;
    const response = await this.#transport.open(name, { query }, options);
    const cut = (cause?: unknown) =>
      new SvcError('connection_cut', 'The audit export ended before its head. Request it again.', {
        operation: ROUTES[name].route,
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
   * The proof that a record is on the blockchain: the identity with that `did`, the first anchored head that covers the audit
   * event `seq`, or the newest head. `svc anchors verify` checks it without the service. Scope `audit:read`.
   * @throws SvcError `anchor_not_found` if the record is not anchored yet
   */
  getAnchorProof(of: AnchorProofGetParams = {}, options?: RequestOptions): Promise<Reply<'getAnchorProof'>> {
    return this.#transport.call('getAnchorProof', { query: of }, options);
  }
}
