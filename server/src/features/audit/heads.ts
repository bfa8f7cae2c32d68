import type { Keyring } from '../../base/keyring.js';
import type { Database } from '../../db/db.js';
import { type HeadSignature, signHead, verifyHead } from '../../ledger/audit-chain.js';
import { readHead, type Scope, updateHead } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import * as store from './audit.store.js';

const PAGE_SIZE = 500;
/** How many of the heads that were not signed again are listed. */
const MAX_LISTED = 20;

interface Resigned {
  readonly resigned: number;
  /** Heads whose signature does not verify with the current or the previous key. */
  readonly unverified: number;
  readonly named: readonly Scope[];
}

/**
 * Signs every head that the previous key signed with the current key, so that the previous secret can be removed. A head
 * whose signature does not verify is left unchanged, because a new signature would make a forged head look valid. Rows and
 * hashes do not change, so there is no audit event. A second run finds nothing to do.
 */
export async function resignHeads(
  { db, keyring }: { db: Database; keyring: Keyring },
  pageSize = PAGE_SIZE,
): Promise<Resigned> {
  let resigned = 0;
  const unverified: Scope[] = [];
  let after: Scope | undefined;
  for (;;) {
    const scopes = await store.listHeadsOfOthers(db, keyring.current.kid, after, pageSize);
    for (const scope of scopes) {
      if (await resign(db, keyring, scope)) resigned += 1;
      else unverified.push(scope);
    }
    after = scopes.at(-1);
    if (scopes.length < pageSize) break;
  }
  return { resigned, unverified: unverified.length, named: unverified.slice(0, MAX_LISTED) };
}

/** Holds the lock of the head, because a write may be about to change it. */
async function resign(db: Database, keyring: Keyring, scope: Scope): Promise<boolean> {
  const tx = await unaudited(db, 'head signatures').begin();
  try {
    const { rows, failure } = await tx.send([store.lockSignedHead(scope)]);
    if (failure !== undefined) throw failure;
    const row = rows[0]?.[0] as (HeadSignature & Record<string, unknown>) | undefined;
    if (row === undefined) throw new Error('The chain has no head');
    const head = readHead(row);
    const { tenantId, environment } = scope;
    const keys = keyring.find(row.keyId);
    const sound = keys !== undefined && verifyHead(keys, tenantId, environment, head, row.signature);
    const signature = signHead(keyring.current, tenantId, environment, head);
    await tx.commit(sound ? [updateHead({ ...scope, ...head, ...signature })] : []);
    return sound;
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}
