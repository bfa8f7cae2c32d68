import type { QueryClient } from '@tanstack/react-query';
import { addressOf, pageAt } from './pages';
import { wasLoggedIn } from './was-logged-in';

/**
 * Loads the code of the page that the browser opens, and the first rows of its list, together with the session. A browser that was not
 * logged in waits for the session, because its requests would fail.
 */
export function loadAhead(queries: QueryClient, { pathname, search }: Location): void {
  const place = pathname.replace(/^\/dashboard/, '');
  const page = pageAt(place);
  if (page === undefined) return;
  const environment = place.startsWith('/test/') ? 'test' : 'live';
  page.component.preload();
  if (place !== addressOf(page, environment)) page.record?.component.preload();
  // Filters are in the query, and the page reads them.
  if (search === '' && wasLoggedIn()) page.prefetch?.(queries, environment);
}
