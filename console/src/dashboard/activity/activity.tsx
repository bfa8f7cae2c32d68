import type { ActivityListParams, Activity as Item } from '@svc/sdk';
import { useSearchParams } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Page } from '../../ui/layout/surface';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar, useFilters } from '../../ui/lists/filters/filters';
import { EmptyList } from '../../ui/lists/list';
import { useListWords } from '../../ui/lists/list-words';
import { Days } from '../nouns/happenings/days';
import { happeningOf } from '../nouns/happenings/happenings';
import { HoursOnly, isHoursOnly } from '../nouns/members/hours-only';
import { useEnvironment } from '../operations/environment';
import { pages, usePages } from '../operations/operation';
import { readTimes, useReferences } from '../records/lists/list-query';
import { ReferenceFilters } from '../records/lists/reference-filters';
import style from './activity.module.css';

const FILTERS = {
  kind: {
    label: 'Kind',
    options: {
      verification: 'Verifications',
      pairing: 'Pairings',
      attendance: 'Attendance',
      approval: 'Approvals',
    },
  },
  outcome: {
    label: 'Outcome',
    options: { good: 'Succeeded', failed: 'Failed', waiting: 'Waiting' },
  },
} as const;

const PAGE_SIZE = 30;
const NOTHING = {
  title: 'Nothing yet',
  text: 'Sign-ins, verifications, check-ins and approvals appear here as they happen.',
};

/** What the address asks for. */
function useWanted(): Omit<ActivityListParams, 'cursor' | 'limit'> {
  const filters = useFilters(FILTERS);
  const [search] = useSearchParams();
  const { from, to } = readTimes(search, new Date());
  return { ...(filters as ActivityListParams), ...useReferences(), ...(from && { from }), ...(to && { to }) };
}

/** Verifications, pairings, attendance and approvals together, newest first. */
export function Activity() {
  const environment = useEnvironment();
  const wanted = useWanted();
  const list = usePages(pages('listActivity', { query: { environment, limit: PAGE_SIZE, ...wanted } }));
  return (
    <Page title="Activity">
      <FilterBar filters={FILTERS} byTime>
        <ReferenceFilters />
      </FilterBar>
      <Stream list={list} isFiltered={Object.keys(wanted).length > 0} />
    </Page>
  );
}

function Stream({
  list,
  isFiltered,
}: {
  readonly list: ReturnType<typeof usePages<Item>>;
  readonly isFiltered: boolean;
}) {
  const { data, error, hasNextPage, isFetchingNextPage } = list;
  const words = useListWords();
  if (isHoursOnly(error)) return <HoursOnly />;
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void list.refetch()} />
    ) : (
      <div className={style.skeleton} role="status" aria-label="Loading Activity" />
    );
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <EmptyList {...emptyOf(isFiltered ? { filter: '' } : {}, NOTHING, words)} />;
  return (
    <Panel>
      <Days items={items.map(happeningOf)} name="Activity" />
      {error && <Failure error={error} onRetry={() => void list.fetchNextPage()} />}
      {hasNextPage && !error && (
        <div className={style.foot}>
          <Button small busy={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show earlier
          </Button>
        </div>
      )}
    </Panel>
  );
}
