import { AUDIT_HEAD, buildTree, hashLeaf, IDENTITY, tagOf } from '@svc/chain/leaves';
import type { WaitingLeaf } from './anchors.store.js';

/** A leaf as the contract hashes it. */
export const hashOf = (leaf: WaitingLeaf): string =>
  hashLeaf({
    kind: leaf.kind === IDENTITY ? IDENTITY : AUDIT_HEAD,
    tag: tagOf(leaf.tenant_id, leaf.environment),
    first: leaf.first_word,
    second: leaf.second_word,
    salt: leaf.salt,
  });

export const rootOfLeaves = (hashes: readonly string[]): string => buildTree(hashes).root;
