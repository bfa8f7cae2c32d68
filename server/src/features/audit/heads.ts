import type { Keyring } from '../../base/crypto/keyring.js';
import type { Database } from '../../db/db.js';
import { type HeadSignature, signHead, verifyHead } from '../../ledger/audit-chain.js';
import { readHead, type Scope, updateHeads } from '../../ledger/audit-store.js';
import { serializeHead } from '../../ledger/signed-head.js';
import { unaudited } from '../../ledger/unaudited.js';
import type { ExportedHead } from './audit.schema.js';
import * as store from './heads.store.js';

const PAGE_SIZE = 500;
/** How many of the heads that were not signed again are listed. */
const MAX_LISTED = 20;

interface HeadDeps {
  readonly db: Database;
  readonly keyring: Keyring;
}

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
export async function resignHeads({ db, keyring }: HeadDeps, pageSize = PAGE_SIZE): Promise<Resigned> {
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
    await tx.commit(sound ? [updateHeads([{ ...scope, ...head, ...signature }])] : []);
    return sound;
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}

/** A page of the heads of all chains, after that chain. Each has the form of the last line of an export. */
export async function listHeads(
  deps: HeadDeps,
  after?: Scope,
  pageSize = PAGE_SIZE,
): Promise<ExportedHead[]> {
  const rows = await store.listHeads(deps.db, after, pageSize);
  return rows.map((row) => ({ environment: row.environment, head: serializeHead(row, deps) }));
}

/** A chain that does not extend a head of it that was exported earlier. */
export interface Difference extends Scope {
  /** The row that the exported head names. */
  readonly seq: number;
  /** How many rows the chain has; 0 if it does not exist. */
  readonly length: number;
  readonly reason:
    | 'head_key_unknown'
    | 'head_signature'
    | 'head_missing'
    | 'tail_missing'
    | 'kept_head_differs';
}

/**
 * Compares the chains with heads that were exported earlier. A chain that has the row of such a head, and that the integrity
 * check passes, also has all rows before it, because each row contains the hash of the one before.
 */
export async function compareHeads(deps: HeadDeps, exported: readonly ExportedHead[]): Promise<Difference[]> {
  const places = exported.map(({ environment, head: { tenantId, seq } }) => ({ tenantId, environment, seq }));
  const rows = await store.findRowsAt(deps.db, places);
  return exported.flatMap((head, at) => {
    const [place, row] = [places[at] as store.Place, rows[at]];
    const reason = faultOf(deps.keyring, head, row);
    return reason === undefined ? [] : [{ ...place, length: row?.length ?? 0, reason }];
  });
}

function faultOf(
  keyring: Keyring,
  { environment, head }: ExportedHead,
  row: store.RowAt | undefined,
): Difference['reason'] | undefined {
  const { tenantId, seq, hash, keyId, signature } = head;
  const keys = keyring.find(keyId);
  if (keys === undefined) return 'head_key_unknown';
  if (!verifyHead(keys, tenantId, environment, { seq, hash, at: Date.parse(head.at) }, signature))
    return 'head_signature';
  if (row === undefined) return 'head_missing';
  if (row.length < seq) return 'tail_missing';
  // The head of an empty chain names no row.
  return seq === 0 || row.hash === hash ? undefined : 'kept_head_differs';
}
