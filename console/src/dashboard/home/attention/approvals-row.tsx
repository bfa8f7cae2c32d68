import { ButtonLink } from '../../../ui/forms/button-link';
import { Ago } from '../../../ui/lists/time';
import type { Environment, ListedApproval } from '../../operations/api';
import { pageIn, recordIn } from '../../paths';
import { AttentionRow } from './attention-row';
import { MAX_APPROVALS } from './use-waiting';

/** Approvals that wait for the people who were asked. */
export function ApprovalsRow({
  approvals,
  environment,
}: {
  readonly approvals: readonly ListedApproval[];
  readonly environment: Environment;
}) {
  const oldest = approvals.at(-1);
  if (oldest === undefined) return null;
  const isOne = approvals.length === 1;
  return (
    <AttentionRow
      action={
        <ButtonLink
          small
          to={
            isOne
              ? recordIn(environment, 'approvals', oldest.id)
              : pageIn(environment, 'approvals', { state: 'pending' })
          }
        >
          {isOne ? 'Show the approval' : 'Show the approvals'}
        </ButtonLink>
      }
    >
      <strong>
        {isOne
          ? 'An approval waits'
          : `${approvals.length >= MAX_APPROVALS ? `${MAX_APPROVALS} or more` : approvals.length} approvals wait`}
      </strong>{' '}
      for the people who were asked, {isOne ? 'since' : 'the oldest since'} <Ago at={oldest.createdAt} />.
    </AttentionRow>
  );
}
