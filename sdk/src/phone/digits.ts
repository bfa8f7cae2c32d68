import { additionDigits, commitToOpening } from '@svc/zk/rendezvous';
import type { PhoneAddition } from '../generated/api.js';
import type { Secret } from './records.js';

/** What the new phone sends with `svc.phone.additions.join`, before it knows anything of the other phone. */
export const commitToIdentity = ({ did, commitment }: Secret, b: string): string =>
  commitToOpening({ newDid: did, newCommitment: commitment, b });

/** The digits that the new phone shows, from its own values and the `a` that the service returned. */
export const digitsToShow = (
  { did: newDid, commitment: newCommitment }: Secret,
  { id, did, a, b }: { readonly id: string; readonly did: string; readonly a: string; readonly b: string },
): string => additionDigits({ rendezvousId: id, did, newDid, newCommitment, a, b });

/**
 * The digits that the old phone expects, from what the new phone opened. Undefined if that is not what it had committed to: reject the
 * addition then, because the service could otherwise exchange the new phone after it knew both numbers. `c` is the value that the old
 * phone read before it revealed `a`.
 */
export function digitsToExpect(
  { id, newDid, newCommitment, b }: PhoneAddition,
  { did, a, c }: { readonly did: string; readonly a: string; readonly c: string },
): string | undefined {
  if (newDid === null || newCommitment === null || b === null) return undefined;
  if (commitToOpening({ newDid, newCommitment, b }) !== c) return undefined;
  return additionDigits({ rendezvousId: id, did, newDid, newCommitment, a, b });
}
