import type { Receipt, TreeHead } from '@svc/zk/approvals/receipt';
import { ensure } from '../fault.js';
import { headShape, keptTreeShape } from '../file/form.js';
import type { ReceiptCheckOptions } from '../options.js';
import type { NamedKeys } from './keys.js';

/** The position of the chain that the checker kept, and the tree if it was one. */
export interface KeptHead {
  readonly seq: number;
  readonly hash: string;
  readonly tree?: TreeHead;
}

/**
 * The head that the checker kept, which must be of this chain.
 * @throws ReceiptFault `kept_head_differs` if the receipt contradicts it, or of its form and its signature
 */
export async function readKept(
  head: ReceiptCheckOptions['head'],
  receipt: Receipt,
  keys: NamedKeys,
): Promise<KeptHead | undefined> {
  if (head === undefined) return undefined;
  const what = 'The head that you kept';
  const isTree = 'root' in head;
  (isTree ? keptTreeShape : headShape)(head, 'head');
  if (isTree) await keys.checkTree(head, what);
  else {
    ensure(
      head.tenantId === receipt.statement.tenantId,
      'kept_head_differs',
      `${what} is of another account.`,
    );
    await keys.checkHead(head, what);
  }
  const kept = isTree ? { seq: head.size, hash: head.hash, tree: head } : { seq: head.seq, hash: head.hash };
  const { tree, chain } = receipt;
  const known = [
    { seq: receipt.head.seq, hash: receipt.head.hash },
    ...(tree ? [{ seq: tree.size, hash: tree.hash }] : []),
    ...chain.map(({ row }) => row),
  ];
  const agrees = known.every(({ seq, hash }) => seq !== kept.seq || hash === kept.hash);
  ensure(agrees, 'kept_head_differs', `The receipt contradicts the head that you kept, at row ${kept.seq}.`);
  return kept;
}
