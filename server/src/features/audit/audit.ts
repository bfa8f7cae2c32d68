import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { type AuditEventRow, MAX_SEARCHED } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { listPage } from '../../records/list.js';
import type { Sort } from '../../records/order.js';
import type { ListAuditQuery } from './audit.schema.js';
import * as store from './audit.store.js';

export const serializeEvent = (row: AuditEventRow) => ({
  ...store.toEvent(row),
  prevHash: row.prev_hash,
  hash: row.hash,
});

/** With the key that verifies it, if the server still has that key. */
export const serializeHead = (row: store.HeadRow, { keyring }: Pick<Deps, 'keyring'>) => ({
  tenantId: row.tenant_id,
  seq: row.seq,
  hash: row.hash,
  at: row.last_at.toISOString(),
  keyId: row.key_id,
  publicKey: keyring.find(row.key_id)?.signing.publicHex ?? null,
  signature: row.signature,
});

export async function readSignedHead(read: Read, deps: Pick<Deps, 'keyring'>) {
  const row = await store.findHead(read);
  if (row === undefined) throw new Error('The chain has no head');
  return serializeHead(row, deps);
}

type ListContext = Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'cursors' | 'history' | 'keyring'>;
  query: Static<typeof ListAuditQuery>;
};

/** A part of a chain: its first event, and the one after its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The part of a range that one page searches for what no index has: at most 10,000 events after a position, in the list's order. */
export function searchedPart(
  { start, end }: Range,
  sort: Sort | undefined,
  after: string | undefined,
): Range {
  if (sort === 'oldest') {
    const first = after === undefined ? start : Math.max(start, Number(after) + 1);
    return { start: first, end: Math.min(end, first + MAX_SEARCHED) };
  }
  const before = after === undefined ? end : Math.min(end, Number(after));
  return { start: Math.max(start, before - MAX_SEARCHED), end: before };
}

/** The position at the end of that part. Undefined if the part reaches the end of the range. */
export function stopOf(range: Range, sort: Sort | undefined, after: string | undefined): string | undefined {
  const { start, end } = searchedPart(range, sort, after);
  if (sort === 'oldest') return end < range.end ? String(end - 1) : undefined;
  return start > range.start ? String(start) : undefined;
}

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

export { AuditEvent, ExportedHead } from './audit.schema.js';
export { awaitTree, consistencyOf, inclusionOf } from './tree/tree.js';
