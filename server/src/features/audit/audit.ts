import type { Deps } from '../../kernel/deps.js';
import type { Read } from '../../kernel/write.js';
import * as store from './audit.store.js';

export { listEvents } from './audit.store.js';

export const showEvent = (row: store.AuditEventRow) => ({
  ...store.toEvent(row),
  prevHash: row.prev_hash,
  hash: row.hash,
});

/** The signed head, with the key to check it by when the server still holds that key. */
export async function readSignedHead(read: Read, { keyring }: Pick<Deps, 'keyring'>) {
  const row = await store.findHead(read);
  if (row === undefined) throw new Error('The chain has no head');
  return {
    tenantId: row.tenant_id,
    seq: row.seq,
    hash: row.hash,
    at: row.last_at.toISOString(),
    keyId: row.key_id,
    publicKey: keyring.find(row.key_id)?.signing.publicHex ?? null,
    signature: row.signature,
  };
}
