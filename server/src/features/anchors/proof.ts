import { buildTree, tagOf } from '@svc/chain/leaves';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import type { Read } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso } from '../../records/schema.js';
import type { AnchorQuery } from './anchors.schema.js';
import * as store from './anchors.store.js';
import { hashOf } from './batches.js';

const word = (hex: string) => `0x${hex}`;

/** A leaf of the tenant and its Merkle path. Other leaves appear only as hashes. */
export async function proveAnchor(db: Database, read: Read, query: Static<typeof AnchorQuery>) {
  const found = await findLeaf(read, query);
  const proof = found && (await serializeProof(db, read, found));
  if (proof === undefined)
    fail('anchor_not_found', found && { because: `batch ${found.batch_id} was altered` });
  return proof;
}

function findLeaf(read: Read, { id, did, seq }: Static<typeof AnchorQuery>) {
  if (id !== undefined) return store.findLeaf(read, id);
  return did === undefined ? store.findHeadLeaf(read, seq) : store.findIdentityLeaf(read, canonicalDid(did));
}

/** The newest anchored head up to that row; undefined if none is anchored. */
export async function proveHeadUpTo(db: Database, read: Read, seq: number) {
  const found = await store.findIncludedHeadLeaf(read, seq);
  return found && serializeProof(db, read, found);
}

/** Undefined if the stored leaves have another root than the anchored one. The integrity check reports it, and no false proof is returned. */
async function serializeProof(db: Database, read: Read, found: store.BatchedLeaf) {
  const { tenantId: tenant_id, environment } = read.scope;
  const hashes = await store.listHashes(db, found.hub, found.batch_id);
  const tree = buildTree(hashes);
  if (tree.root !== found.root || hashes[found.position] !== hashOf({ ...found, tenant_id, environment }))
    return undefined;
  const [chainId, contract] = found.hub.split(':') as [string, string];
  return {
    kind: found.kind === 1 ? ('identity' as const) : ('audit_head' as const),
    status: found.confirmed_at
      ? ('confirmed' as const)
      : found.included_at
        ? ('included' as const)
        : ('sent' as const),
    batchId: found.batch_id,
    leaf: {
      kind: found.kind,
      tag: word(tagOf(read.scope.tenantId, read.scope.environment)),
      first: word(found.first_word),
      second: word(found.second_word),
    },
    salt: word(found.salt),
    proof: tree.pathOf(found.position).map(word),
    root: word(found.root),
    chainId: Number(chainId),
    contract,
    txHash: found.tx_hash && word(found.tx_hash),
    createdAt: iso(found.created_at),
  };
}
