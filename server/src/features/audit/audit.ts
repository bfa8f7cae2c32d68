import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import { readSignedHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import { listPage } from '../../records/list.js';
import type { ListAuditQuery } from './audit.schema.js';
import * as store from './audit.store.js';
import { searchedPart, stopOf } from './ranges.js';
import { serializeEvent } from './rows.js';

export { serializeEvent } from './rows.js';
export { eventsAbout } from './search.js';

type ListContext = Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'cursors' | 'history' | 'keyring'>;
  query: Static<typeof ListAuditQuery>;
};

const position = (row: AuditEventRow) => String(row.seq);

/** A page of the audit chain, newest first, with its signed head. */
export async function auditList(context: ListContext) {
  const { read, deps, query } = context;
  if (query.action === undefined && query.status === undefined) {
    const listing = {
      fetch: (of: Read, _: unknown, count: number, before: string | undefined) =>
        store.listEvents(of, count, before),
      show: serializeEvent,
      position,
    };
    const [page, head] = await Promise.all([listPage(context, 'audit', listing), readSignedHead(read, deps)]);
    return { ...page, head };
  }
  const head = await readSignedHead(read, deps);
  const range = { start: 1, end: head.seq + 1 };
  const page = await listPage(context, 'audit', {
    fetch: (of, filter, count, after) =>
      store.searchEvents(of, [searchedPart(range, undefined, after)], filter, count, after),
    show: serializeEvent,
    position,
    stop: (_, after) => stopOf(range, undefined, after),
  });
  return { ...page, head };
}

export { AuditEvent, ConsoleAuditEvent, ExportedHead, SignedHead } from './audit.schema.js';
export { awaitTree, consistencyOf, inclusionOf } from './tree/tree.js';
export { SignedTree, TreeKey, TreeProof } from './tree/tree.schema.js';
