import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Failure } from '../failure';
import { Button } from '../forms/button';
import { Panel } from '../layout/panel';
import type { ListWords } from '../words';
import type { Column } from './column';
import type { Empty } from './empty';
import style from './list.module.css';
import { useListWords } from './list-words';
import { Skeleton } from './table/skeleton';
import { type Addressed, type Listed, Table } from './table/table';
import { useNextPage } from './use-next-page';

export type { Column } from './column';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** How many records match. */
  readonly total?: number;
  /** False if there are at least `total`. */
  readonly totalIsExact?: boolean;
  /** The service stopped its search before the page was full. */
  readonly partial?: true;
}

/** A paginated list in each of its states: loading, failed, empty and loaded. */
export function RecordList<T extends { readonly id: string }>({
  name,
  query,
  newer = NONE,
  rows: shown,
  columns,
  empty,
  grows = false,
  ...rows
}: {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  /** Records that came after the list was loaded, newest first. The list may have some of them. */
  readonly newer?: readonly T[];
  /** Default: every record is a row. */
  readonly rows?: readonly T[] | undefined;
  readonly columns: readonly Column<T>[];
  readonly empty: Empty;
  /** Loads the next page when the reader scrolls to the end. Default: only when the button is clicked. */
  readonly grows?: boolean;
} & Addressed<T>) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage } = query;
  const words = useListWords();
  const items = useMemo(() => {
    const loaded = data?.pages.flatMap((page) => page.items) ?? [];
    if (newer.length === 0) return loaded;
    const ids = new Set(loaded.map(({ id }) => id));
    return [...newer.filter(({ id }) => !ids.has(id)), ...loaded];
  }, [data, newer]);
  const canLoad = hasNextPage && !error;
  // A click while the next page is loading must not cancel and repeat the request.
  const loadMore = () => void query.fetchNextPage({ cancelRefetch: false });
  const foot = useNextPage(grows && canLoad && !isFetchingNextPage, loadMore);
  if (isPending)
    return <Skeleton name={name} columns={columns} hasAddresses={rows.addressOf !== undefined} />;
  if (data === undefined)
    return (
      <Panel flush className={style.list}>
        <div className={style.failed}>
          <Failure error={error} onRetry={() => void query.refetch()} />
        </div>
      </Panel>
    );
  const isPartial = data.pages.at(-1)?.partial === true;
  if (items.length === 0 && !isPartial) return <EmptyList {...empty} />;
  return (
    <Panel flush className={style.list}>
      {items.length > 0 && <Table name={name} items={shown ?? items} columns={columns} {...rows} />}
      {error && (
        <div className={style.failed}>
          <Failure
            error={error}
            onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          />
        </div>
      )}
      <div className={style.foot} ref={foot}>
        <span role="status">{shownOf(words, items.length, hasNextPage, data.pages.at(-1))}</span>
        {canLoad && (
          <Button small busy={isFetchingNextPage} onClick={loadMore}>
            {isPartial ? words.further : words.more}
          </Button>
        )}
      </div>
    </Panel>
  );
}

const NONE: readonly never[] = [];

/** What an empty list shows. */
export const EmptyList = ({ title, text, action }: Empty) => (
  <Panel flush className={style.empty}>
    <h2>{title}</h2>
    <p>{text}</p>
    {action}
  </Panel>
);

/** How many records are shown, and how many there are if the service counted them. */
function shownOf(
  words: ListWords,
  shown: number,
  hasMore: boolean,
  page: ListPage<unknown> | undefined,
): string {
  if (!hasMore) return words.shownAll(shown);
  if (page?.partial) return words.shownSoFar(shown);
  if (page?.total === undefined) return words.shownFirst(shown);
  return words.shown(shown, page.total, page.totalIsExact === true);
}

export const RecordTable = <T extends { readonly id: string }>(rows: Listed<T>) => (
  <Panel flush className={style.list}>
    <Table {...rows} />
  </Panel>
);
