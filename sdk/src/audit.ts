import { SvcError } from './errors.js';
import type { AuditEvent, SignedHead } from './generated/api.js';
import { readLines } from './lines.js';
import type { Environment } from './options.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import type { Reply, RequestOptions, Transport } from './transport.js';

/** The last line of an export: without it the export was cut off. */
export interface AuditExportEnd {
  readonly environment: Environment;
  readonly head: SignedHead;
}

/** `svc.audit`: the hash-chained record of every write. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All events that fit the filter, newest first; each page carries the chain's signed head. Scope `audit:read`. */
  list(
    filter: ListFilter<'GET /v1/audit'> = {},
    options?: RequestOptions,
  ): Pages<AuditEvent, Reply<'GET /v1/audit'>> {
    return listOf(this.#transport, 'GET /v1/audit', 'audit', filter, options);
  }

  /**
   * The whole chain, oldest first, then `{ environment, head }`. Scope `audit:read`.
   * @throws SvcError `connection_cut` when the export ends before its head
   */
  async *export(options: RequestOptions = {}): AsyncGenerator<AuditEvent | AuditExportEnd, void, undefined> {
    const name = 'GET /v1/audit/export';
    const response = await this.#transport.open(name, {}, options);
    const cut = (cause?: unknown) =>
      new SvcError('connection_cut', 'The audit export was cut off before its head. Ask for it again.', {
        operation: name,
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
}
