import { UNSAFE_createBrowserHistory as createBrowserHistory, type Navigator } from 'react-router';

type BrowserHistory = ReturnType<typeof createBrowserHistory>;
/** Receives the navigation that it holds back, to do it later. */
type Guard = (proceed: () => void) => void;

/** The history of the tab. A guard holds back navigations to another page. */
export interface GuardedHistory extends Navigator, Pick<BrowserHistory, 'action' | 'location' | 'listen'> {
  /** Returns what removes the guard. There is at most one. */
  readonly setGuard: (guard: Guard) => () => void;
}

export function createGuardedHistory(): GuardedHistory {
  // This option reports pushes and replacements to the listener, too.
  const history = createBrowserHistory({ v5Compat: true });
  let shown = history.location.pathname;
  let guard: Guard | undefined;
  /** What to do with the next change that this code causes by going back and forth. */
  let expected: 'ignore' | 'pass' | undefined;

  const navigate = (pathname: string, proceed: () => void) => {
    if (guard !== undefined && pathname !== shown) guard(proceed);
    else proceed();
  };
  const pathnameOf = (to: Parameters<Navigator['push']>[0]) =>
    new URL(history.createHref(to), location.origin).pathname;

  return {
    get action() {
      return history.action;
    },
    get location() {
      return history.location;
    },
    createHref: history.createHref,
    go: history.go,
    push: (to, state) => navigate(pathnameOf(to), () => history.push(to, state)),
    replace: (to, state) => navigate(pathnameOf(to), () => history.replace(to, state)),
    listen: (listener) =>
      history.listen((update) => {
        const { action, location, delta } = update;
        const step = expected;
        expected = undefined;
        if (step === 'ignore') return;
        // The browser has gone back or forth already, so a guarded page returns first.
        if (
          action === 'POP' &&
          delta &&
          guard !== undefined &&
          step !== 'pass' &&
          location.pathname !== shown
        ) {
          expected = 'ignore';
          history.go(-delta);
          guard(() => {
            expected = 'pass';
            history.go(delta);
          });
          return;
        }
        shown = location.pathname;
        listener(update);
      }),
    setGuard: (next) => {
      guard = next;
      return () => {
        guard = undefined;
      };
    },
  };
}
