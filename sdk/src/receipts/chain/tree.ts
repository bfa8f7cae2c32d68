import { leafHash, verifyConsistency, verifyInclusion } from '@svc/zk/approvals/merkle';
import type { Receipt, ReceiptRow, TreeHead } from '@svc/zk/approvals/receipt';
import { fromHex } from '../../codecs/audit-chain.js';
import { ensure } from '../fault.js';

const bytesOf = (hex: string): Uint8Array => fromHex(hex, 32) ?? new Uint8Array();

/** Checks that each row is in the tree. @throws ReceiptFault `tree_wrong` */
export function checkInclusions({ chain, tree, head }: Receipt): void {
  for (const each of chain) {
    const { row, inclusion } = each;
    ensure(
      (inclusion === null) === (tree === null),
      'tree_wrong',
      `Row ${row.seq} has no place in the tree, or the receipt has no tree.`,
    );
    if (tree !== null) ensure(isIncluded(each, tree), 'tree_wrong', `Row ${row.seq} is not in the tree.`);
    ensure(row.seq <= head.seq, 'tree_wrong', `Row ${row.seq} is newer than the head of the receipt.`);
  }
  const agrees = chain.every(
    ({ row }) =>
      (row.seq !== tree?.size || row.hash === tree.hash) && (row.seq !== head.seq || row.hash === head.hash),
  );
  const isOfHead = tree === null || tree.size !== head.seq || tree.hash === head.hash;
  ensure(
    agrees && isOfHead,
    'tree_wrong',
    'The rows, the tree and the head of the receipt contradict each other.',
  );
}

export const isIncluded = ({ row, inclusion }: ReceiptRow, { size, root }: TreeHead): boolean =>
  verifyInclusion({
    index: row.seq - 1,
    size,
    leaf: leafHash(bytesOf(row.hash)),
    proof: (inclusion ?? []).map(bytesOf),
    root: bytesOf(root),
  });

/** The proof that a tree begins with the leaves of one that was kept. */
export interface Extension {
  readonly kept: TreeHead;
  readonly tree: TreeHead;
  readonly proof: readonly string[];
}

export const isConsistent = ({ kept, tree, proof }: Extension): boolean =>
  verifyConsistency({
    ...{ from: kept.size, to: tree.size },
    ...{ fromRoot: bytesOf(kept.root), toRoot: bytesOf(tree.root) },
    proof: proof.map(bytesOf),
  });
