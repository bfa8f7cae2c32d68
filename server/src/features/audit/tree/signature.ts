import { sign, verify } from 'node:crypto';
import type { KeySet } from '../../../base/crypto/keyring.js';
import type { HeadSignature } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';

/** What a signature of a tree covers, with its chain. */
export interface TreeHead {
  /** The number of the chain's rows that it covers. */
  readonly size: number;
  readonly root: string;
  /** The chain's hash at `seq = size`. */
  readonly hash: string;
  /** Unix milliseconds. */
  readonly at: number;
}

const messageOf = ({ tenantId, environment }: Scope, { size, root, hash, at }: TreeHead) =>
  Buffer.from(`svc-audit-tree-v1|${tenantId}|${environment}|${size}|${root}|${hash}|${at}`);

/** With the key that signs the heads of audit chains. */
export const signTree = (keys: KeySet, scope: Scope, tree: TreeHead): HeadSignature => ({
  keyId: keys.kid,
  signature: sign(null, messageOf(scope, tree), keys.signing.privateKey).toString('hex'),
});

export const verifyTree = (keys: KeySet, scope: Scope, tree: TreeHead, signature: string): boolean =>
  verify(null, messageOf(scope, tree), keys.signing.publicKey, Buffer.from(signature, 'hex'));
