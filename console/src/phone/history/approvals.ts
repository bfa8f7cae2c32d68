import type { EnrolledAt } from '@svc/sdk';
import type { Statement } from '@svc/zk/approvals/statement';
import { type Identity, idOf } from '../identities/identity';
import { change, readAll, resultOf } from '../vault/database';
import { discardProtection } from '../vault/protection';

/**
 * How an approval ended. `unconfirmed` means that the proof was sent and no response arrived, so the desktop may or may not be
 * signed in, or the decision may or may not count.
 */
export type Outcome = 'approved' | 'declined' | 'wrongNumber' | 'failed' | 'unconfirmed';

/** What a browser says that it is. */
export interface PairingBrowser {
  readonly browser: string | null;
  readonly system: string | null;
}

/** An entry of the history, which is stored only on this phone. It contains no secret, so it is not encrypted. */
export interface Approval extends Pick<EnrolledAt, 'tenantId' | 'environment'> {
  /** The ID of the desktop's session or of the approval, so that a retry changes its entry. */
  readonly id: string;
  readonly companyName?: string | undefined;
  readonly host: string;
  /** The page that asked, and the application's name for it, if the company says. */
  readonly origin?: string | undefined;
  readonly application?: string | undefined;
  /** It was signed in beside the phone, because it was new to the person. */
  readonly newBrowser?: PairingBrowser | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly outcome: Outcome;
  /** What the person decided on, if it was not a sign-in. */
  readonly statement?: Statement;
  readonly reason?: 'not_me' | 'mistake' | 'no';
}

/** The history has at most so many entries. */
const MAX_APPROVALS = 100;

export const APPROVALS = ['approvals'] as const;

/** The newest first. */
export const readApprovals = async (): Promise<Approval[]> =>
  (await readAll<Approval>('approvals')).sort((left, right) => right.at.localeCompare(left.at));

/** Adds or changes an entry. A successful one stays, and accounts without an identity have no history. */
export const recordApproval = (approval: Approval): Promise<void> =>
  change(['identities', 'approvals'], async (store) => {
    const identities = await resultOf<Identity[]>(store('identities').getAll());
    if (!identities.some((identity) => idOf(identity) === idOf(approval))) return;
    const before = await resultOf<Approval[]>(store('approvals').getAll());
    if (before.some(({ id, outcome }) => id === approval.id && outcome === 'approved')) return;
    store('approvals').put(approval);
    const others = before.filter(({ id }) => id !== approval.id);
    for (const { id } of oldestOf([...others, approval])) store('approvals').delete(id);
  });

/** The entries that don't fit. */
export const oldestOf = (approvals: readonly Approval[]): Approval[] =>
  approvals.toSorted((left, right) => right.at.localeCompare(left.at)).slice(MAX_APPROVALS);

/** Whether an earlier approval was for a page of this origin. */
export const hasApproved = (
  approvals: readonly Approval[],
  account: Pick<EnrolledAt, 'tenantId' | 'environment'>,
  origin: string,
): boolean =>
  approvals.some(
    (approval) =>
      approval.outcome === 'approved' && approval.origin === origin && idOf(approval) === idOf(account),
  );

export const clearApprovals = (): Promise<void> =>
  change(['approvals'], (store) => store('approvals').clear());

/** Deletes an identity, and its account's history with the last identity of that account. */
export async function removeIdentity(id: string): Promise<void> {
  let removed: Identity | undefined;
  await change(['identities', 'approvals'], async (store) => {
    const identities = await resultOf<Identity[]>(store('identities').getAll());
    const found = identities.find((identity) => identity.id === id);
    removed = found;
    store('identities').delete(id);
    if (found === undefined) return;
    if (identities.some((other) => other.id !== id && idOf(other) === idOf(found))) return;
    const approvals = await resultOf<Approval[]>(store('approvals').getAll());
    for (const approval of approvals)
      if (idOf(approval) === idOf(found)) store('approvals').delete(approval.id);
  });
  for (const protection of [removed?.protection, removed?.successor?.protection])
    discardProtection(protection);
}
