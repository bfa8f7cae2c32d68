import type { EnrolledAt } from '@svc/sdk';
import type { Statement } from '@svc/zk/approvals/statement';
import { change, readAll, resultOf } from './database';
import { type Identity, idOf } from './identities';

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
export interface HistoryEntry extends Pick<EnrolledAt, 'tenantId' | 'environment'> {
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
const MAX_ENTRIES = 100;

export const HISTORY = ['history'] as const;

/** The newest first. */
export const readHistory = async (): Promise<HistoryEntry[]> =>
  (await readAll<HistoryEntry>('approvals')).sort((left, right) => right.at.localeCompare(left.at));

/** Adds or changes an entry. A successful one stays, and accounts without an identity have no history. */
export const recordEntry = (entry: HistoryEntry): Promise<void> =>
  change(['identities', 'approvals'], async (store) => {
    const identities = await resultOf<Identity[]>(store('identities').getAll());
    if (!identities.some((identity) => idOf(identity) === idOf(entry))) return;
    const before = await resultOf<HistoryEntry[]>(store('approvals').getAll());
    if (before.some(({ id, outcome }) => id === entry.id && outcome === 'approved')) return;
    store('approvals').put(entry);
    const others = before.filter(({ id }) => id !== entry.id);
    for (const { id } of oldestOf([...others, entry])) store('approvals').delete(id);
  });

/** The entries that don't fit. */
export const oldestOf = (entries: readonly HistoryEntry[]): HistoryEntry[] =>
  entries.toSorted((left, right) => right.at.localeCompare(left.at)).slice(MAX_ENTRIES);

/** Whether an earlier approval was for a page of this origin. */
export const hasApproved = (
  entries: readonly HistoryEntry[],
  account: Pick<EnrolledAt, 'tenantId' | 'environment'>,
  origin: string,
): boolean =>
  entries.some(
    (entry) => entry.outcome === 'approved' && entry.origin === origin && idOf(entry) === idOf(account),
  );

export const clearHistory = (): Promise<void> => change(['approvals'], (store) => store('approvals').clear());
