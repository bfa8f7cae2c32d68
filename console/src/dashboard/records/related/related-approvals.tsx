import { APPROVALS, svc } from '../../api';
import { STATE_NAMES } from '../../approvals/states';
import { useEnvironment } from '../../environment';
import { pageIn, recordIn } from '../../paths';
import { Related, RelatedLink, RelatedRow } from './related';

const LIMIT = 8;

/** What a person was asked to approve, newest first. */
export function RelatedApprovals({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  return (
    <Related
      name="Approvals"
      queryKey={[...APPROVALS, environment, 'related', userId]}
      read={async (signal) => {
        const query = { environment, userId, limit: LIMIT };
        const { approvals, nextCursor } = await svc.request('listApprovals', { query }, { signal });
        return { items: approvals, hasMore: nextCursor !== null };
      }}
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
