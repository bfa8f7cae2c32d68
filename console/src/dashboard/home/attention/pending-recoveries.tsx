import type { Recovery } from '@svc/sdk';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Reference } from '../../nouns/reference';
import { useEnvironment } from '../../operations/environment';
import type { Reply } from '../../operations/operation';
import { pageIn } from '../../paths';
import { RecoveryNotice } from '../../recoveries/recoveries';
import { AttentionRow } from './attention-row';

/** Those that wait for a member come first. */
const byNeed = (a: Recovery, b: Recovery) => Number(b.held) - Number(a.held);

/** The recoveries that wait, of everybody. Each names its person. */
export function PendingRecoveries({ pending }: { readonly pending: Reply<'listRecoveries'> | undefined }) {
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
      {pending.nextCursor !== null && (
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
