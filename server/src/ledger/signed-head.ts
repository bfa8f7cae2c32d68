import type { Keyring } from '../base/crypto/keyring.js';
import { sql } from '../db/sql.js';
import type { Environment } from '../model/environment.js';
import { type Read, within } from './write.js';

export interface HeadRow {
  tenant_id: string;
  environment: Environment;
  seq: number;
  hash: string;
  last_at: Date;
  key_id: string;
  signature: string;
}

export async function findHead(read: Read): Promise<HeadRow | undefined> {
  const [row] =
    await read.query<HeadRow>(sql.query`select tenant_id, environment, seq, hash, last_at, key_id, signature
    from audit_heads where ${within(read.scope)}`);
  return row;
}

/** With the key that verifies it, if the server still has that key. */
export const serializeHead = (row: HeadRow, { keyring }: { readonly keyring: Keyring }) => ({
  tenantId: row.tenant_id,
  seq: row.seq,
  hash: row.hash,
  at: row.last_at.toISOString(),
  keyId: row.key_id,
  publicKey: keyring.find(row.key_id)?.signing.publicHex ?? null,
  signature: row.signature,
});

export async function readSignedHead(read: Read, deps: { readonly keyring: Keyring }) {
  const row = await findHead(read);
  if (row === undefined) throw new Error('The chain has no head');
  return serializeHead(row, deps);
}
