import { STATE_NAMES } from '../../nouns/receipt/approval-states';
import { useEnvironment } from '../../operations/environment';
import { pageIn, recordIn } from '../../paths';
import { Related, RelatedLink, RelatedRow, useRelated } from './related';

const LIMIT = 8;

/** What a person was asked to approve, newest first. */
export function RelatedApprovals({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  return (
    <Related
      name="Approvals"
      query={useRelated('listApprovals', { query: { userId, limit: LIMIT } })}
      keyOf={({ id }) => id}
      row={({ id, action, state, createdAt }) => (
        <RelatedRow
          what={
            <RelatedLink to={recordIn(environment, 'approvals', id)}>
              {action?.title ?? 'Erased text'}
            </RelatedLink>
          }
          about={STATE_NAMES[state]}
          at={createdAt}
        />
      )}
      empty="Nobody has asked this person to approve something."
      more={pageIn(environment, 'approvals', { userId })}
    />
  );
}
