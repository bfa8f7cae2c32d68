import type { InfiniteData } from '@tanstack/react-query';
import { useOutletContext } from 'react-router';
import type { ListPage } from '../../../ui/lists/list';
import type { RecordPage } from '../../paths';

/** The loaded records of the list that a record is shown beside. */
export interface ListedRecords {
  readonly page: RecordPage;
  /** In the list's order. */
  readonly keys: readonly string[];
  readonly byKey: ReadonlyMap<string, unknown>;
}

export function recordsOf<T>(
  data: InfiniteData<ListPage<T>> | undefined,
  keyOf: (item: T) => string,
): Omit<ListedRecords, 'page'> {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return { keys: [...byKey.keys()], byKey };
}

/** Undefined for a record with a page of its own. */
export const useListed = () => useOutletContext<ListedRecords | undefined>();

/** The record as the list has it, which is shown until the record itself is loaded. */
export const useListedRecord = <T>(key: string): T | undefined =>
  useListed()?.byKey.get(key) as T | undefined;
