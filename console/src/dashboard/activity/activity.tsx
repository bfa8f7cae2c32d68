import { useSearchParams } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Page } from '../../ui/layout/surface';
import { emptyOf } from '../../ui/lists/empty';
import { FilterBar, useFilters } from '../../ui/lists/filters/filters';
import { EmptyList } from '../../ui/lists/list';
import type { Environment } from '../api';
import { useEnvironment } from '../environment';
import { readTimes, useReferences } from '../records/lists/list-query';
import { ReferenceFilters } from '../records/lists/reference-filters';
import style from './activity.module.css';
import { Days } from './days';
import { type Kind, type Outcome, PAGE_SIZE, sourcesOf, type Wanted } from './sources';
import { useMerged } from './use-merged';

const FILTERS = {
  kind: {
    label: 'Kind',
    options: {
      verifications: 'Verifications',
      pairings: 'Pairings',
      attendance: 'Attendance',
      approvals: 'Approvals',
    },
  },
  outcome: {
    label: 'Outcome',
    options: { good: 'Succeeded', failed: 'Failed', waiting: 'Waiting' },
  },
} as const;

/** What the address asks for. */
function useWanted(): { readonly kind: Kind | undefined; readonly wanted: Wanted } {
  const environment: Environment = useEnvironment();
  const { kind, outcome } = useFilters(FILTERS);
  const [search] = useSearchParams();
  const references = useReferences();
  const { from, to } = readTimes(search, new Date());
  return {
    kind: kind as Kind | undefined,
    wanted: {
      environment,
      ...(outcome && { outcome: outcome as Outcome }),
      ...references,
      ...(from && { from }),
      ...(to && { to }),
    },
  };
}

/** Verifications, pairings, attendance and approvals as one stream, newest first. */
export function Activity() {
  const { kind, wanted } = useWanted();
  const query = useMerged(['activity', wanted.environment, kind, wanted], sourcesOf(kind, wanted), PAGE_SIZE);
  return (
    <Page title="Activity">
      <FilterBar filters={FILTERS} byTime>
        <ReferenceFilters />
      </FilterBar>
      <Stream query={query} isFiltered={kind !== undefined || Object.keys(wanted).length > 1} />
    </Page>
  );
}

function Stream({
  query,
  isFiltered,
}: {
  readonly query: ReturnType<typeof useMerged>;
  readonly isFiltered: boolean;
}) {
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void query.refetch()} />
    ) : (
      <div className={style.skeleton} role="status" aria-label="Loading Activity" />
    );
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0 && !hasNextPage)
    return (
      <EmptyList
        {...emptyOf(isFiltered ? { filter: '' } : {}, {
          title: 'Nothing yet',
          text: 'Sign-ins, verifications, check-ins and approvals appear here as they happen.',
        })}
      />
    );
  return (
    <Panel>
      <Days items={items} name="Activity" />
      {error && <Failure error={error} onRetry={() => void query.fetchNextPage()} />}
      {hasNextPage && !error && (
        <div className={style.foot}>
          {items.length === 0 && <p role="status">Nothing found so far. Older records may match.</p>}
          <Button small busy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier
          </Button>
        </div>
      )}
    </Panel>
  );
}
