import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { Router } from 'react-router';
import { createGuardedHistory, type GuardedHistory } from './history';

const HistoryContext = createContext<GuardedHistory | undefined>(undefined);

/**
 * The library's declarative router with a history that can be guarded. The library guards its data router only, which also loads and
 * sends data, and is twice its size.
 */
export function BrowserRouter({
  basename,
  children,
}: {
  readonly basename: string;
  readonly children: ReactNode;
}) {
  const [history] = useState(createGuardedHistory);
  const [{ action, location }, setShown] = useState<Pick<GuardedHistory, 'action' | 'location'>>(history);
  useLayoutEffect(() => history.listen(setShown), [history]);
  return (
    <HistoryContext value={history}>
      <Router basename={basename} location={location} navigationType={action} navigator={history}>
        {children}
      </Router>
    </HistoryContext>
  );
}

/** While on, holds back the navigation to another page. `proceed` does it, `stay` forgets it. */
export function useHeldNavigation(isOn: boolean) {
  const history = useContext(HistoryContext);
  const [proceed, setProceed] = useState<() => void>();
  useEffect(() => {
    if (!isOn) return;
    return history?.setGuard((held) => setProceed(() => held));
  }, [history, isOn]);
  return proceed && { proceed, stay: () => setProceed(undefined) };
}
