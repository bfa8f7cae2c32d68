import type { Receipt, TreeHead } from '@svc/zk/approvals/receipt';
import type { Decided } from '../decisions.js';
import type { Enrolled } from '../enrolment.js';
import { ensure } from '../fault.js';
import type { ReadExport } from './export.js';
import type { KeptHead } from './kept.js';
import { type Extension, isConsistent } from './tree.js';

/**
 * Checks that each identity goes back to a commitment at or before the head that was kept, by proofs of the person's own. What came into
 * force later without such a proof is the operator's word.
 * @throws ReceiptFault `not_covered`, `kept_head_differs`
 */
export function checkCoverage(
  decided: readonly Decided[],
  kept: KeptHead | undefined,
  receipt: Receipt,
  rows: ReadExport | undefined,
): void {
  ensure(
    kept !== undefined,
    'not_covered',
    'No head was kept from before, so the identities are the operator’s word.',
  );
  const extension = kept.tree && extensionOf(kept.tree, receipt);
  if (extension)
    ensure(
      isConsistent(extension),
      'kept_head_differs',
      'The tree of the receipt does not extend the tree that you kept.',
    );
  ensure(
    extension !== undefined || rows !== undefined,
    'not_covered',
    `Nothing shows which rows lie at or before row ${kept.seq}, the head that you kept. Pass an export, or keep a tree and fetch the receipt with ?from=${kept.seq}.`,
  );
  for (const { userId, enrolled } of decided)
    ensure(
      goesBack(enrolled, kept),
      'not_covered',
      `The identity of ${userId} came into force after row ${kept.seq}, the head that you kept, without a proof by an earlier one.`,
    );
}

/** How the tree of the receipt extends the one that was kept. Undefined if the receipt does not say. */
function extensionOf(kept: TreeHead, { tree, consistency }: Receipt): Extension | undefined {
  if (tree === null) return undefined;
  if (tree.size === kept.size) return { kept, tree, proof: [] };
  return consistency?.from === kept.size ? { kept, tree, proof: consistency.proof } : undefined;
}

/** Every commitment after the head needs the proof of the next, which was checked. */
const goesBack = (enrolled: readonly Enrolled[], { seq }: KeptHead): boolean =>
  enrolled.some((each) => each.seq <= seq);
