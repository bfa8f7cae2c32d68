import { recordExport } from '../../http/export.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import { readSignedHead } from '../../ledger/signed-head.js';
import { proveHeadUpTo } from '../anchors/anchors.js';
import { listChain } from './audit.store.js';
import { serializeEvent } from './rows.js';

const ROWS_AT_ONCE = 500;

/**
 * The audit chain as JSON Lines: its rows, oldest first, and finally the signed head with the proof of the newest anchored
 * head. The head is read first, then the rows up to it, a page at a time, without a lock or a transaction: rows under a
 * committed head never change, and writers continue after it. A file without its last line is incomplete, for example
 * because the credential ended during the hours that a slow client may take.
 */
export async function exportChain(
  context: Pick<ScopedContext, 'scope' | 'read' | 'write'> &
    Pick<BaseContext, 'deps' | 'setHeader' | 'isHead'> & {
      readonly principal: Pick<KeyPrincipal | ConsolePrincipal, 'revalidate'>;
    },
) {
  const { deps, scope, read, setHeader, principal } = context;
  const evidence = await deps.history.evidence();
  const head = await readSignedHead(read, deps);
  const rowsOf = evidence(scope, head);
  // After the head, so that the export does not contain its own event.
  await recordExport(context, { records: 'audit', count: head.seq, countIsExact: true });
  setHeader('content-disposition', `attachment; filename="audit-${scope.environment}-${head.seq}.jsonl"`);
  setHeader('cache-control', 'no-store');
  async function* lines(): AsyncGenerator<string> {
    for (let from = 1; from <= head.seq; from += ROWS_AT_ONCE) {
      if (from > 1 && (await read.query(principal.revalidate(deps.clock.now()))).length === 0)
        throw new Error('The credential of this export has ended');
      const rows = await listChain(rowsOf, from, Math.min(head.seq, from + ROWS_AT_ONCE - 1));
      yield rows.map((row) => `${JSON.stringify(serializeRow(row))}\n`).join('');
    }
    const anchor = await proveHeadUpTo(deps.db, read, head.seq);
    yield `${JSON.stringify({ environment: scope.environment, head, ...(anchor && { anchor }) })}\n`;
  }
  return lines();
}

/** A row with columns that no event can have is identified only by its position. The check then reports it. */
function serializeRow(row: AuditEventRow): object {
  try {
    return serializeEvent(row);
  } catch {
    const { id, seq, prev_hash: prevHash, hash } = row;
    return { id, seq, createdAt: '', prevHash, hash };
  }
}
