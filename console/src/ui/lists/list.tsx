import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent, memo, type ReactNode, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { Failure } from '../failure';
import { Button } from '../forms/button';
import { classes } from '../layout/classes';
import { Panel } from '../layout/panel';
import type { Empty } from './empty';
import { useChange } from './filters';
import style from './list.module.css';

export interface Column<T> {
  readonly name: string;
  /** The values are short and must not wrap. */
  readonly short?: boolean;
  /** Left out where the list is narrow. */
  readonly minor?: boolean;
  /** Its header switches between newest and oldest first. */
  readonly sorts?: boolean;
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

/** A paginated list in each of its states: loading, failed, empty and loaded. */
export function RecordList<T extends { readonly id: string }>({
  name,
  query,
  newer = [],
  columns,
  empty,
  ...rows
}: {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  /** Records that came after the list was loaded, newest first. The list may have some of them. */
  readonly newer?: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly empty: Empty;
} & Addressed<T>) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage } = query;
  const loaded = data?.pages.flatMap((page) => page.items) ?? [];
  const ids = new Set(loaded.map(({ id }) => id));
  const items = [...newer.filter(({ id }) => !ids.has(id)), ...loaded];
  if (isPending) return <Skeleton name={name} columns={columns.map((column) => column.name)} />;
  if (data === undefined)
    return (
      <Panel flush className={style.list}>
        <div className={style.failed}>
          <Failure error={error} onRetry={() => void query.refetch()} />
        </div>
      </Panel>
    );
  if (items.length === 0) return <EmptyList {...empty} />;
  return (
    <Panel flush className={style.list}>
      <Table name={name} items={items} columns={columns} {...rows} />
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
    </Panel>
  );
}

/** What an empty list shows. */
export const EmptyList = ({ title, text, action }: Empty) => (
  <Panel flush className={style.empty}>
    <h2>{title}</h2>
    <p>{text}</p>
    {action}
  </Panel>
);

const NUMBER = new Intl.NumberFormat();

/** How many records are shown, and how many there are if the service counted them. */
function shownOf(shown: number, hasMore: boolean, page: ListPage<unknown> | undefined): string {
  if (!hasMore) return `Showing ${NUMBER.format(shown)} of ${NUMBER.format(shown)}`;
  if (page?.total === undefined) return `Showing the first ${NUMBER.format(shown)}`;
  return `Showing ${NUMBER.format(shown)} of ${page.totalIsExact ? '' : 'more than '}${NUMBER.format(page.total)}`;
}

export const RecordTable = <T extends { readonly id: string }>(rows: Listed<T>) => (
  <Panel flush className={style.list}>
    <Table {...rows} />
  </Panel>
);

interface Listed<T> extends Addressed<T> {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
}

/** A list whose records have addresses: the first column of a row is a link to its record. */
interface Addressed<T> {
  readonly addressOf?: (item: T) => string;
  /** The record that is open beside the list. */
  readonly opened?: string | undefined;
  readonly keyOf?: (item: T) => string;
}

function Table<T extends { readonly id: string }>({
  name,
  items,
  columns,
  addressOf,
  opened,
  keyOf = ({ id }) => id,
}: Listed<T>) {
  const { search } = useLocation();
  return (
    <table aria-label={name}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            columns={columns}
            address={addressOf?.(item)}
            search={search}
            isOpen={opened !== undefined && keyOf(item) === opened}
          />
        ))}
      </tbody>
    </table>
  );
}

const classOf = ({ short, minor }: { readonly short?: boolean; readonly minor?: boolean }) =>
  classes(short && style.short, minor && style.minor) || undefined;

function Head({ name, short, minor, sorts }: Omit<Column<never>, 'cell'>) {
  const [search] = useSearchParams();
  const change = useChange();
  const look = classOf({ ...(short && { short }), ...(minor && { minor }) });
  if (!sorts)
    return (
      <th scope="col" className={look}>
        {name}
      </th>
    );
  const isOldest = search.get('sort') === 'oldest';
  const Arrow = isOldest ? ArrowUp : ArrowDown;
  return (
    <th scope="col" className={look} aria-sort={isOldest ? 'ascending' : 'descending'}>
      <button
        type="button"
        className={style.sort}
        title={isOldest ? 'Oldest first' : 'Newest first'}
        onClick={() => change('sort', isOldest ? '' : 'oldest')}
      >
        {name}
        <Arrow size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

interface RowOf<T> {
  readonly item: T;
  readonly columns: readonly Column<T>[];
  readonly address: string | undefined;
  /** The query of the list's address, which its records keep. */
  readonly search: string;
  readonly isOpen: boolean;
}

function PlainRow<T extends { readonly id: string }>({ item, columns, address, search, isOpen }: RowOf<T>) {
  const link = useRef<HTMLAnchorElement>(null);
  const open = ({ target }: MouseEvent<HTMLElement>) => {
    const isControl = (target as HTMLElement).closest('a, button, [role=menu], [role=menuitem]') !== null;
    // Selecting text in a row, for example to copy an address, doesn't open its record.
    if (!isControl && getSelection()?.isCollapsed !== false) link.current?.click();
  };
  return (
    // The link in the first column is for the keyboard.
    <tr onClick={open} data-open={isOpen || undefined} data-addressed={address !== undefined || undefined}>
      {columns.map((column, at) => (
        <td key={column.name} data-name={column.name} className={classOf(column)}>
          <div>
            {at === 0 && address !== undefined ? (
              <Link
                ref={link}
                className={style.opener}
                to={{ pathname: address, search }}
                aria-current={isOpen || undefined}
              >
                {column.cell(item)}
              </Link>
            ) : (
              column.cell(item)
            )}
          </div>
        </td>
      ))}
    </tr>
  );
}

/** Rendered again only if the row itself changed: opening a record changes two rows of fifty. */
const Row = memo(PlainRow) as typeof PlainRow;

function Skeleton({ name, columns }: { readonly name: string; readonly columns: readonly string[] }) {
  return (
    <Panel flush className={style.list} role="status" aria-label={`Loading ${name}`}>
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
    </Panel>
  );
}
