import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import type { AuditEventRow } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { listPage } from '../../records/list.js';
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

/** A page of the audit chain, newest first, with its signed head. */
export async function auditList(context: ListContext) {
  const listing = {
    fetch: store.listEvents,
    show: serializeEvent,
    position: (row: AuditEventRow) => String(row.seq),
  };
  const [page, head] = await Promise.all([
    listPage(context, 'audit', listing),
    readSignedHead(context.read, context.deps),
  ]);
  return { ...page, head };
}

export { AuditEvent, ExportedHead } from './audit.schema.js';
export { awaitTree, consistencyOf, inclusionOf } from './tree/tree.js';
