import { AUDIT_HEAD, buildTree, hashLeaf, IDENTITY, tagOf } from '@svc/chain/leaves';

export interface Words {
  readonly tenant_id: string;
  readonly environment: string;
  readonly kind: 1 | 2;
  readonly first_word: string;
  readonly second_word: string;
  readonly salt: string;
}

/** A leaf, hashed as in the contract. */
export const hashOf = (leaf: Words): string =>
  hashLeaf({
    kind: leaf.kind === IDENTITY ? IDENTITY : AUDIT_HEAD,
    tag: tagOf(leaf.tenant_id, leaf.environment),
    first: leaf.first_word,
    second: leaf.second_word,
    salt: leaf.salt,
  });

export const rootOfLeaves = (hashes: readonly string[]): string => buildTree(hashes).root;

/** A hub is a blockchain's id and the contract's address on it. */
export const contractOf = (hub: string): string => hub.split(':')[1] as string;
