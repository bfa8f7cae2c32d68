const BASE = '/dashboard';

/** The page of the dashboard to open after the log-in: the requested one, and never one of another site. */
export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return isOfDashboard(next) ? next : '/';
}

function isOfDashboard(next: string): boolean {
  // Browsers drop tabs and line breaks from an address, so that `/<tab>/host` would be `//host`.
  if (!/^\/(?![/\\])/.test(next) || /\p{Cc}/u.test(next)) return false;
  // Dots could leave the dashboard.
  return new URL(BASE + next, 'http://localhost').pathname.startsWith(`${BASE}/`);
}

/** Where the browser goes. */
export const addressOf = (next: string): string => BASE + next;
