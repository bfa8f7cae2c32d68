import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Days } from '../../nouns/happenings/days';
import { happeningOf } from '../../nouns/happenings/happenings';
import { HoursOnly, isHoursOnly } from '../../nouns/members/hours-only';
import type { ListedUser } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { pages, useOperation, usePages } from '../../operations/operation';
import { ownHappenings, withOwn } from './own';
import style from './timeline.module.css';
import { withoutPerson } from './without-person';

const SIZE = 12;
/** The most phones that are read. Nobody has so many. */
const MAX_PHONES = 100;

/** What happened to a person, newest first. */
export function Timeline({ user }: { readonly user: ListedUser }) {
  const environment = useEnvironment();
  const list = usePages(pages('listActivity', { query: { environment, userId: user.id, limit: SIZE } }));
  const phones = useOperation(
    'listUserIdentities',
    { path: { userId: user.id }, query: { limit: MAX_PHONES } },
    { enabled: user.erasedAt === null },
  );
  const { hasNextPage, isFetchingNextPage } = list;
  const data = phones.isLoading ? undefined : list.data;
  const error = list.error ?? phones.error;
  const retry = () => void (list.error ? list : phones).refetch();
  if (isHoursOnly(error)) return <HoursOnly />;
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={retry} />
    ) : (
      <div className={style.skeleton} role="status" aria-label="Loading the timeline" data-loading />
    );
  const read = data.pages.flatMap(({ items }) => items).map(happeningOf);
  const own = ownHappenings(user, phones.data?.identities ?? []);
  const items = withOwn(read, own, !hasNextPage);
  return (
    <>
      <Days
        items={items.map((item) => ({ ...item, pieces: withoutPerson(item.pieces, user.fullName) }))}
        name="Timeline"
        heading="h3"
      />
      {error && <Failure error={error} onRetry={() => void list.fetchNextPage()} />}
      {hasNextPage && !error && (
        <Button small busy={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </>
  );
}
