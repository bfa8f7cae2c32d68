import type { Stage } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWork } from '../parts/use-work';
import { hasScreenLock, type Identity, readIdentities } from '../vault/identities';
import { INBOX, type Inbox, isOpen, isOpenFor, lockInbox, openInbox, readInbox } from './read-inbox';
import type { Waiting } from './waiting';

export type { Waiting };

/** How often an open inbox is read again while the page is visible. */
const REFRESH_MS = 10_000;

/** What waits, null or undefined until the person opens the inbox, and what opens it. */
export function useInbox() {
  const queries = useQueryClient();
  const inbox = useQuery<Inbox | null>({
    queryKey: INBOX,
    queryFn: async ({ signal }) => readInbox(await readIdentities(), { signal, onStage: () => {} }),
    enabled: isOpen,
    staleTime: REFRESH_MS,
    refetchInterval: () => (isOpen() ? REFRESH_MS : false),
  });
  const opening = useWork<Stage, Inbox, readonly Identity[]>(async (watch, identities) => {
    const opened = await openInbox(identities, watch);
    queries.setQueryData<Inbox | null>(INBOX, opened);
    return opened;
  });
  return { inbox: inbox.data, isStale: inbox.isError, opening };
}

/** Whether an approval that was in the inbox does not wait any more, e.g. because it was cancelled. */
export function useHasEnded({ identity, statement }: Waiting): boolean {
  const { inbox } = useInbox();
  if (!inbox || !isOpenFor(identity)) return false;
  return inbox.waiting.every((each) => each.statement.approvalId !== statement.approvalId);
}

/** Locks the inbox of identities with a screen lock when the person leaves the page, as the phone's own lock does. */
export function useInboxLock(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'visible') return;
      lockInbox();
      queries.setQueryData<Inbox | null>(INBOX, (before) => before && withoutLocked(before));
    };
    document.addEventListener('visibilitychange', onHide);
    return () => document.removeEventListener('visibilitychange', onHide);
  }, [queries]);
}

function withoutLocked(inbox: Inbox): Inbox | null {
  if (!isOpen()) return null;
  return { ...inbox, waiting: inbox.waiting.filter(({ identity }) => !hasScreenLock(identity)) };
}

/** Takes an approval that was decided out of the list, before it is read again. */
export function useForget(): (approvalId: string) => void {
  const queries = useQueryClient();
  return (approvalId) =>
    queries.setQueryData<Inbox | null>(
      INBOX,
      (before) =>
        before && {
          ...before,
          waiting: before.waiting.filter(({ statement }) => statement.approvalId !== approvalId),
        },
    );
}
