import type { Receipt } from '@svc/zk/approvals/receipt';
import type { Decided } from '../decisions.js';
import type { Enrolled } from '../enrolment.js';
import { ensure } from '../fault.js';
import type { ReadExport } from './export.js';
import type { KeptHead } from './kept.js';
import { isConsistent } from './tree.js';

/**
 * Checks that each identity goes back to a commitment at or before the head that was kept, by proofs of the person's own. What came into
 * force later without such a proof is the operator's word.
 * @throws ReceiptFault `not_covered`, `kept_head_differs`
 */
export function checkCoverage(
  decided: readonly Decided[],
  kept: KeptHead | undefined,
  { tree }: Receipt,
  {
    consistency,
    rows,
  }: { readonly consistency: readonly string[] | undefined; readonly rows: ReadExport | undefined },
): void {
  ensure(
    kept !== undefined,
    'not_covered',
    'No head was kept from before, so the identities are the operator’s word.',
  );
  const consistent =
    kept.tree !== undefined && tree !== null && (kept.tree.size === tree.size || consistency !== undefined);
  if (consistent)
    ensure(
      isConsistent(kept.tree, tree, consistency ?? []),
      'kept_head_differs',
      'The tree of the receipt does not extend the tree that you kept.',
    );
  ensure(
    consistent || rows !== undefined,
    'not_covered',
    'Nothing shows which rows lie at or before the head that you kept. Pass the export, or the proof of consistency for a tree.',
  );
  for (const { userId, enrolled } of decided)
    ensure(
      goesBack(enrolled, kept),
      'not_covered',
      `The identity of ${userId} came into force after row ${kept.seq}, the head that you kept, without a proof by an earlier one.`,
    );
}

/** Every commitment after the head needs the proof of the next, which was checked. */
const goesBack = (enrolled: readonly Enrolled[], { seq }: KeptHead): boolean =>
  enrolled.some((each) => each.seq <= seq);
