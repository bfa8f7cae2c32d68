import type { Keyring } from '../../../base/crypto/keyring.js';
import type { HeadSignature } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { rootOf } from './edge.js';
import { type TreeHead, verifyTree } from './signature.js';
import { split } from './tiles.js';

export interface SignedTreeRow extends TreeHead, HeadSignature {
  readonly edge: string;
}

/**
 * What is wrong with the stored tree of a chain whose row at its size has this hash. Does not compute its root from all rows: proofs
 * fail if it does not match them.
 */
export function faultOf(
  keyring: Keyring,
  scope: Scope,
  tree: SignedTreeRow,
  rowHash: string | null,
): 'tree_differs' | 'tree_key_unknown' | 'tree_signature' | undefined {
  if (tree.hash !== rowHash || rootOf(split(tree.edge)) !== tree.root) return 'tree_differs';
  const keys = keyring.find(tree.keyId);
  if (keys === undefined) return 'tree_key_unknown';
  return verifyTree(keys, scope, tree, tree.signature) ? undefined : 'tree_signature';
}
