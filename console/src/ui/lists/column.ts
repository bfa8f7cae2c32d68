import type { ReactNode } from 'react';

/** The orders that a column's header switches between: values of the query parameter `sort`. The default order has none. */
export interface Orders {
  readonly ascending?: string;
  readonly descending?: string;
  /** What each order is called, such as “Oldest first”. */
  readonly names: { readonly ascending: string; readonly descending: string };
  /** The order of the first click. Default: ascending. */
  readonly first?: 'ascending' | 'descending';
  /** Filters that end with this order, because the service does not have them together. */
  readonly without?: readonly string[];
}

/** The order of a list by time, newest first by default. */
export const BY_TIME: Orders = {
  ascending: 'oldest',
  names: { ascending: 'Oldest first', descending: 'Newest first' },
  first: 'descending',
};

/** The order of a column's texts. A range of days has no such order, so the filter by date ends. */
const orderOf = (name: string, ascending: string, descending: string): Orders => ({
  ascending: name,
  descending: `-${name}`,
  names: { ascending, descending },
  without: ['period', 'from', 'to'],
});
export const BY_NAME = orderOf('name', 'A to Z', 'Z to A');
export const BY_LAST_SEEN: Orders = {
  ...orderOf('last_seen', 'Longest unseen first', 'Last seen first'),
  first: 'descending',
};

interface Place {
  readonly name: string;
  /** The values are short and must not wrap. */
  readonly short?: boolean;
  /** Left out where the list is narrow. */
  readonly minor?: boolean;
  readonly sorts?: Orders;
  /**
   * Its place in the two lines of a row on a phone. The first column is always the start of the first line. Without a place, the
   * column is left out if the record has a page, or else has a line of its own.
   */
  readonly narrow?: 'state' | 'fact' | 'time' | 'actions';
}

/** A column of a list: its values, or the times by which the rows are separated into days. */
export type Column<T> = Place &
  (
    | { readonly cell: (item: T) => ReactNode; readonly at?: never }
    | { readonly at: (item: T) => string; readonly cell?: never }
  );
