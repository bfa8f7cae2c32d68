import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Days } from '../../activity/days';
import { useMerged } from '../../activity/use-merged';
import { AUDIT, type ListedUser } from '../../api';
import { useEnvironment } from '../../environment';
import { sourcesOf } from './sources';
import style from './timeline.module.css';
import { withoutPerson } from './without-person';

const SIZE = 12;

/** What happened to a person, newest first. */
export function Timeline({ user }: { readonly user: ListedUser }) {
  const environment = useEnvironment();
  const query = useMerged(
    // Changes of a person reload the audit log.
    [...AUDIT, environment, 'timeline', user.id, user.erasedAt],
    sourcesOf(environment, user),
    SIZE,
  );
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void query.refetch()} />
    ) : (
      <div className={style.skeleton} role="status" aria-label="Loading the timeline" data-loading />
    );
  const items = data.pages.flatMap(({ items }) => items);
  return (
    <>
      <Days
        items={items.map((item) => ({ ...item, pieces: withoutPerson(item.pieces, user.fullName) }))}
        name="Timeline"
        heading="h3"
      />
      {error && <Failure error={error} onRetry={() => void query.fetchNextPage()} />}
      {hasNextPage && !error && (
        <Button small busy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </>
  );
}
