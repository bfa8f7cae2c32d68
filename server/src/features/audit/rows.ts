import type { AuditEventRow } from '../../ledger/read-events.js';
import * as store from './audit.store.js';

export const serializeEvent = (row: AuditEventRow) => ({
  ...store.toEvent(row),
  prevHash: row.prev_hash,
  hash: row.hash,
});
