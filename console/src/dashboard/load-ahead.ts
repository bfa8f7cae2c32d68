import type { QueryClient } from '@tanstack/react-query';
import { addressOf, pageAt } from './pages';

const LOGGED_IN = 'logged-in';

/** Whether this browser was logged in when the dashboard was last shown. Nothing depends on it but what is requested early. */
export const rememberLoggedIn = (isLoggedIn: boolean): void => {
  if (isLoggedIn) localStorage.setItem(LOGGED_IN, '');
  else localStorage.removeItem(LOGGED_IN);
};

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
  if (search === '' && localStorage.getItem(LOGGED_IN) !== null) page.prefetch?.(queries, environment);
}
