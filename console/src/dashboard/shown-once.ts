import { createContext, useContext, useEffect } from 'react';

type SetSecretsShown = (change: (count: number) => number) => void;

/** Counts the secrets on the screen that can't be shown again. While there are any, the page stays until the reader closes them. */
export const SecretsShown = createContext<SetSecretsShown>(() => undefined);

/** Keeps the component on the screen until the reader closes it, even if the session ends. */
export function useShownOnce(): void {
  const setSecretsShown = useContext(SecretsShown);
  useEffect(() => {
    setSecretsShown((count) => count + 1);
    return () => setSecretsShown((count) => count - 1);
  }, [setSecretsShown]);
}
