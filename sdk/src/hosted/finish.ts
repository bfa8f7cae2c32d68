import { type PageWindow, pageWindow } from './browser.js';

/** What the redirect page tells the page that opened it. */
export interface Returned {
  readonly type: 'svc-signed-in';
  readonly code: string | null;
  readonly state: string | null;
  readonly iss: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
}

/**
 * The whole script of the page at `redirectUri`: gives the code to the page that called `signInHosted`, and to no page of another origin,
 * removes it from the address and closes the window. Returns false if no page opened this one, or if it has gone.
 */
export function finishSignInHosted(): boolean {
  const page: PageWindow = pageWindow();
  const { origin, search, pathname } = page.location;
  const parameters = new URLSearchParams(search);
  const returned: Returned = {
    type: 'svc-signed-in',
    code: parameters.get('code'),
    state: parameters.get('state'),
    iss: parameters.get('iss'),
    error: parameters.get('error'),
    errorDescription: parameters.get('error_description'),
  };
  page.history.replaceState(null, '', pathname);
  if (page.opener === null) return false;
  page.opener.postMessage(returned, origin);
  page.close();
  return true;
}
