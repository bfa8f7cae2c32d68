import { useOperation } from '../operations/operation';
import { REFRESH_MS } from '../operations/refresh';
import { RecoveryNotice } from './recovery-notice';

export { RecoveryNotice };

/** Shown at most. Others are in the list of registrations. */
const LIMIT = 5;

/** The recoveries that wait, of one person or of everybody. */
export const usePendingRecoveries = (userId?: string) =>
  useOperation(
    'listRecoveries',
    { query: { state: 'pending_recovery', limit: LIMIT, userId } },
    { refetchInterval: REFRESH_MS },
  );

/** The recovery of one person, if there is one. */
export function RecoveryOf({ userId }: { readonly userId: string }) {
  const { recoveries = [] } = usePendingRecoveries(userId).data ?? {};
  return recoveries.map((recovery) => <RecoveryNotice key={recovery.id} recovery={recovery} />);
}
