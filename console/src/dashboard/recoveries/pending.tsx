import type { Recovery } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../ui/forms/button-link';
import { type Environment, svc } from '../api';
import { useEnvironment } from '../environment';
import { AttentionRow } from '../home/attention/attention-row';
import { REFRESH_MS } from '../home/refresh';
import { pageIn } from '../paths';
import { Reference } from '../records/reference';
import { RecoveryNotice } from './recovery-notice';

/** Shown at most. Others are in the list of registrations. */
const LIMIT = 5;

interface Pending {
  readonly recoveries: readonly Recovery[];
  readonly hasMore: boolean;
}

export const pendingRecoveries = (environment: Environment, userId?: string) => ({
  queryKey: ['recoveries', environment, userId ?? 'all'],
  refetchInterval: REFRESH_MS,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Pending> => {
    const query = {
      environment,
      state: 'pending_recovery' as const,
      limit: LIMIT,
      ...(userId && { userId }),
    };
    const { recoveries, nextCursor } = await svc.request('listRecoveries', { query }, { signal });
    return { recoveries, hasMore: nextCursor !== null };
  },
});

/** Those that wait for a member come first. */
const byNeed = (a: Recovery, b: Recovery) => Number(b.held) - Number(a.held);

/** The recoveries that wait, of everybody. Each names its person. */
export function PendingRecoveries({ pending }: { readonly pending: Pending | undefined }) {
  const environment = useEnvironment();
  if (pending === undefined) return null;
  return (
    <>
      {pending.recoveries.toSorted(byNeed).map((recovery) => (
        <RecoveryNotice key={recovery.id} recovery={recovery} as={AttentionRow}>
          <strong>
            <Reference to="users" id={recovery.userId} name={recovery.userName} />
          </strong>
          :{' '}
        </RecoveryNotice>
      ))}
      {pending.hasMore && (
        <AttentionRow
          action={
            <ButtonLink small to={pageIn(environment, 'registrations', { state: 'pending_recovery' })}>
              Show all recoveries
            </ButtonLink>
          }
        >
          More recoveries wait.
        </AttentionRow>
      )}
    </>
  );
}

/** The recovery of one person, if there is one. */
export function RecoveryOf({ userId }: { readonly userId: string }) {
  const { recoveries = [] } = useQuery(pendingRecoveries(useEnvironment(), userId)).data ?? {};
  return recoveries.map((recovery) => <RecoveryNotice key={recovery.id} recovery={recovery} />);
}
