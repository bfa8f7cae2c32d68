import { findHead } from '../../ledger/signed-head.js';
import type { Read } from '../../ledger/write.js';
import type { Since } from '../sheets/sheets.js';
import { listEntries } from './chain.store.js';

/**
 * What entries after the tree have changed. Each call reads what came since the one before. The entry of an event that was read is found by
 * a call after that, because both were committed together.
 */
export function changesSince(read: Read, size: number): () => Promise<Since> {
  const recorded = new Set<string>();
  const voided = new Set<string>();
  let last = size;
  return async () => {
    const to = (await findHead(read))?.seq ?? last;
    for (const { action, entity_id: id } of await listEntries(read, { from: last + 1, to })) {
      if (id !== null && action === 'attendance.created') recorded.add(id);
      if (id !== null && action === 'attendance.voided') voided.add(id);
    }
    last = to;
    return { recorded, voided };
  };
}
