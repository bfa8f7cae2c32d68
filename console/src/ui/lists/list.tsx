import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../failure';
import { Button } from '../forms/button';
import style from './list.module.css';

export interface Column<T> {
  readonly name: string;
  /** The values are short and must not wrap. */
  readonly short?: boolean;
  readonly cell: (item: T) => ReactNode;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** How many records match. */
  readonly total?: number;
  /** False if there are at least `total`. */
  readonly totalIsExact?: boolean;
}

/** What an empty list shows: what will appear there, and how to add it. */
export interface Empty {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** A paginated list in each of its states: loading, failed, empty and loaded. */
export function RecordList<T extends { readonly id: string }>({
  name,
  query,
  newer = [],
  columns,
  empty,
}: {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  /** Records that came after the list was loaded, newest first. The list may have some of them. */
  readonly newer?: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly empty: Empty;
}) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage } = query;
  const loaded = data?.pages.flatMap((page) => page.items) ?? [];
  const ids = new Set(loaded.map(({ id }) => id));
  const items = [...newer.filter(({ id }) => !ids.has(id)), ...loaded];
  if (isPending) return <Skeleton name={name} columns={columns.map((column) => column.name)} />;
  if (data === undefined)
    return (
      <div className={style.list}>
        <div className={style.failed}>
          <Failure error={error} onRetry={() => void query.refetch()} />
        </div>
      </div>
    );
  if (items.length === 0)
    return (
      <div className={style.list}>
        <div className={style.empty}>
          <h2>{empty.title}</h2>
          <p>{empty.text}</p>
          {empty.action}
        </div>
      </div>
    );
  return (
    <div className={style.list}>
      <Rows name={name} items={items} columns={columns} />
      {error && (
        <div className={style.failed}>
          <Failure
            error={error}
            onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          />
        </div>
      )}
      <div className={style.foot}>
        <span role="status">{shownOf(items.length, hasNextPage, data.pages.at(-1))}</span>
        {hasNextPage && !error && (
          <Button small busy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

const NUMBER = new Intl.NumberFormat();

/** How many records are shown, and how many there are if the service counted them. */
function shownOf(shown: number, hasMore: boolean, page: ListPage<unknown> | undefined): string {
  if (!hasMore) return `Showing ${NUMBER.format(shown)} of ${NUMBER.format(shown)}`;
  if (page?.total === undefined) return `Showing the first ${NUMBER.format(shown)}`;
  return `Showing ${NUMBER.format(shown)} of ${page.totalIsExact ? '' : 'more than '}${NUMBER.format(page.total)}`;
}

export const RecordTable = <T extends { readonly id: string }>(rows: Listed<T>) => (
  <div className={style.list}>
    <Rows {...rows} />
  </div>
);

interface Listed<T> {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
}

const Rows = <T extends { readonly id: string }>({ name, items, columns }: Listed<T>) => (
  <table aria-label={name}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" className={column.short ? style.short : undefined}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr key={item.id}>
          {columns.map((column) => (
            <td key={column.name} data-name={column.name} className={column.short ? style.short : undefined}>
              <div>{column.cell(item)}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A record's name as a button that opens the whole record. */
export const Opener = ({
  onOpen,
  children,
}: {
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) => (
  <button type="button" className={style.opener} aria-haspopup="dialog" onClick={onOpen}>
    {children}
  </button>
);

function Skeleton({ name, columns }: { readonly name: string; readonly columns: readonly string[] }) {
  return (
    <div className={style.list} role="status" aria-label={`Loading ${name}`}>
      <table aria-hidden="true">
        <tbody>
          {[0, 1, 2, 3].map((row) => (
            <tr key={row}>
              {columns.map((column) => (
                <td key={column} data-name={column}>
                  <div className={style.skeleton} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
