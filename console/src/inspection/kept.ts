const NAME = 'inspection';

/** Keeps the session in this tab, so that it stays when the page is loaded again. A browser without storage asks again. */
export function keepSession(session: string): void {
  try {
    sessionStorage.setItem(NAME, session);
  } catch {
    // A browser without storage.
  }
}

export function keptSession(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetSession(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was kept.
  }
}

/** What the link has after the #. It leaves the address bar and the history immediately. Undefined if there is nothing. */
export function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
