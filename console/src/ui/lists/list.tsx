import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../failure';
import { Button } from '../forms/button';
import style from './list.module.css';

export interface Column<T> {
  readonly name: string;
  /** Its values are short, and not broken within. */
  readonly short?: boolean;
  readonly cell: (item: T) => ReactNode;
}

/** A page of a list as the service sends it, under the name of its records. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** What a list says while it is empty: what would stand there, and how it comes about. */
export interface Empty {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** A list in each of its states: loading, failed, empty, and paging on. */
export function RecordList<T extends { readonly id: string }>({
  name,
  query,
  columns,
  empty,
}: {
  /** What is listed, for screen readers. */
  readonly name: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  readonly columns: readonly Column<T>[];
  readonly empty: Empty;
}) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (isPending) return <Bones name={name} columns={columns.map((column) => column.name)} />;
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
        <span role="status">
          {items.length} shown{hasNextPage ? '' : ', all there are'}
        </span>
        {hasNextPage && !error && (
          <Button small busy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

/** Records that are all there, without paging on. */
export const RecordTable = <T extends { readonly id: string }>(rows: Listed<T>) => (
  <div className={style.list}>
    <Rows {...rows} />
  </div>
);

interface Listed<T> {
  /** What is listed, for screen readers. */
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

/** What a record is known by; pressed, it shows the whole record. */
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

/** The list's shape while its rows are on their way. */
function Bones({ name, columns }: { readonly name: string; readonly columns: readonly string[] }) {
  return (
    <div className={style.list} role="status" aria-label={`Loading ${name}`}>
      <table aria-hidden="true">
        <tbody>
          {[0, 1, 2, 3].map((row) => (
            <tr key={row}>
              {columns.map((column) => (
                <td key={column} data-name={column}>
                  <div className={style.bone} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
