import { createContext, useContext, useEffect } from 'react';

type Hold = (change: (held: number) => number) => void;

/** Counts what is on the screen this once, so that nobody but its reader takes it away. */
export const Holding = createContext<Hold>(() => undefined);

/** What is shown here cannot be shown again: it stays until it is closed, though the session be found to have ended. */
export function useShownOnce(): void {
  const hold = useContext(Holding);
  useEffect(() => {
    hold((held) => held + 1);
    return () => hold((held) => held - 1);
  }, [hold]);
}
