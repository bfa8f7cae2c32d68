import type { PersonSheet } from '@svc/sdk';
import { useEnvironment } from '../../operations/environment';
import { pages, useOperation, usePages } from '../../operations/operation';

const PAGE_SIZE = 100;
/** The log says each time that somebody reads sheets. So they are read once, and not whenever the window gets the focus. */
const ONCE = { staleTime: 10 * 60_000, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/** The sheets of a site’s month, a hundred people at a time. */
export function useSheets(siteId: string, month: string) {
  const environment = useEnvironment();
  const list = usePages<PersonSheet>({
    ...pages('listSheets', { query: { environment, siteId, month, limit: PAGE_SIZE } }),
    ...ONCE,
  });
  return { ...list, sheets: list.data?.pages.flatMap(({ items }) => items) };
}

/** One person’s sheet. */
export const useSheet = (siteId: string, month: string, userId: string) =>
  useOperation('listSheets', { query: { siteId, month, userId } }, ONCE);

export const useMonthState = (siteId: string, month: string) =>
  useOperation(
    'getMonth',
    { path: { month }, query: { siteId } },
    { staleTime: 60_000, refetchOnWindowFocus: false },
  );
