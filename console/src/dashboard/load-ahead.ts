import type { QueryClient } from '@tanstack/react-query';
import { accountOptions } from './operations/account';
import { addressOf, pageAt } from './pages';
import { wasLoggedIn } from './was-logged-in';

/**
 * Loads the session, the code of the page that the browser opens, and the first rows of its list together, before anything is
 * rendered. The rows only if the browser was logged in, because their request would fail.
 */
export function loadAhead(queries: QueryClient, { pathname, search }: Location): void {
  void queries.prefetchQuery(accountOptions);
  const place = pathname.replace(/^\/dashboard/, '');
  const page = pageAt(place);
  if (page === undefined) return;
  const environment = place.startsWith('/test/') ? 'test' : 'live';
  page.component.preload();
  if (place !== addressOf(page, environment)) page.record?.component.preload();
  // Filters are in the query, and the page reads them.
  if (search === '' && wasLoggedIn()) page.prefetch?.(queries, environment);
}
