import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { classes } from '../../layout/classes';
import type { Column, Orders } from '../column';
import style from '../list.module.css';
import { useChanges } from '../use-change';
import { Chunk } from './chunk';
import { chunksOf, MANY_ROWS } from './chunks-of';
import { useFirstRows } from './first-rows';
import { classOf } from './table-row';
import { useColumnWidths } from './use-column-widths';

export interface Listed<T> extends Addressed<T> {
  /** The list's name for screen readers. */
  readonly name: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
}

/** A list whose records have addresses: the first column of a row is a link to its record. */
export interface Addressed<T> {
  readonly addressOf?: (item: T) => string;
  /** The record that is open beside the list. */
  readonly opened?: string | undefined;
  readonly keyOf?: (item: T) => string;
}

export function Table<T extends { readonly id: string }>({
  name,
  items: all,
  columns,
  addressOf,
  opened,
  keyOf = ({ id }) => id,
}: Listed<T>) {
  const items = useFirstRows(all);
  const { search } = useLocation();
  const timeOf = columns.find(({ at }) => at !== undefined)?.at;
  const chunks = useMemo(() => chunksOf(items, timeOf), [items, timeOf]);
  const isLong = items.length > MANY_ROWS;
  const [table, widths] = useColumnWidths(isLong);
  const isOpen = (item: T) => opened !== undefined && keyOf(item) === opened;
  return (
    <table
      aria-label={name}
      ref={table}
      className={classes(addressOf && style.addressed, widths && style.fixed)}
      aria-rowcount={isLong ? -1 : undefined}
    >
      {widths && (
        <colgroup>
          {widths.map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <col key={at} style={{ width }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} {...column} />
          ))}
        </tr>
      </thead>
      {chunks.map((chunk) => (
        <Chunk
          key={chunk.key}
          chunk={chunk}
          columns={columns}
          addressOf={addressOf}
          search={search}
          openId={opened === undefined ? undefined : chunk.items.find(isOpen)?.id}
          canLeave={isLong}
        />
      ))}
    </table>
  );
}

function Head({ name, sorts, ...place }: Omit<Column<never>, 'cell' | 'at'>) {
  if (sorts) return <SortedHead name={name} orders={sorts} look={classOf(place)} />;
  return (
    <th scope="col" className={classOf(place)}>
      {name}
    </th>
  );
}

interface SortedColumn {
  readonly name: string;
  readonly orders: Orders;
  readonly look: string | undefined;
}

/** A header that switches between the orders of its column. */
function SortedHead({ name, orders, look }: SortedColumn) {
  const current = useSearchParams()[0].get('sort') ?? undefined;
  const change = useChanges();
  const ended = Object.fromEntries((orders.without ?? []).map((filter) => [filter, '']));
  const shown = (['ascending', 'descending'] as const).find((order) => orders[order] === current);
  const first = orders.first ?? 'ascending';
  const next = shown === undefined ? first : shown === 'ascending' ? 'descending' : 'ascending';
  const Arrow = ARROWS[shown ?? 'none'];
  return (
    <th scope="col" className={look} aria-sort={shown}>
      <button
        type="button"
        className={style.sort}
        title={shown && orders.names[shown]}
        onClick={() => change({ ...ended, sort: orders[next] ?? '' })}
      >
        {name}
        <Arrow size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

const ARROWS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;
