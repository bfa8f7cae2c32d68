import { SvcError } from '../transport/errors.js';
import type { Timing } from '../transport/timing.js';
import type { Message, PageWindow, Popup } from './browser.js';
import type { Returned } from './finish.js';

const CLOSED_CHECK_MS = 500;

interface Waiting {
  readonly page: PageWindow;
  readonly popup: Popup;
  readonly timing: Timing;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const isReturned = (data: unknown): data is Returned =>
  typeof data === 'object' && data !== null && (data as Partial<Returned>).type === 'svc-signed-in';

const closed = () =>
  new SvcError(
    'sign_in_closed',
    'The sign-in window was closed. If nobody closed it, this page or the redirect page sends a Cross-Origin-Opener-Policy other than unsafe-none or same-origin-allow-popups.',
  );

/** What the redirect page posts. Listens to that popup only, and only while it shows a page of this origin. Closes it in the end. */
export function waitForReturn({ page, popup, timing, timeoutMs, signal }: Waiting): Promise<Returned> {
  return new Promise<Returned>((resolve, reject) => {
    let cancelCheck = () => {};
    const end = (settle: () => void) => {
      page.removeEventListener('message', listen);
      signal?.removeEventListener('abort', abort);
      cancelCheck();
      cancelTimeout();
      popup.close();
      settle();
    };
    const listen = ({ origin, source, data }: Message) => {
      if (origin === page.location.origin && source === popup && isReturned(data)) end(() => resolve(data));
    };
    const abort = () => end(() => reject(signal?.reason));
    // The message of a popup that closes itself can arrive after `closed` is set.
    const check = (wasClosed: boolean) => {
      cancelCheck = timing.after(CLOSED_CHECK_MS, () =>
        wasClosed ? end(() => reject(closed())) : check(popup.closed),
      );
    };
    const cancelTimeout = timing.after(timeoutMs, () =>
      end(() => reject(new SvcError('timed_out', `Nobody signed in within ${timeoutMs} ms.`))),
    );
    page.addEventListener('message', listen);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    else check(false);
  });
}
