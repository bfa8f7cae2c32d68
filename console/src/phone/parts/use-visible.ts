import { useEffect, useState } from 'react';

const MIN_VISIBLE_MS = 500;

/**
 * Whether the screen has been visible for 500 ms, long enough to see what it asks. This prevents clickjacking: another page could
 * make the person double-click where this button appears between the two clicks.
 */
export function useHasBeenVisible(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      setReady(false);
      timer = setTimeout(() => setReady(true), MIN_VISIBLE_MS);
    };
    restart();
    addEventListener('focus', restart);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', restart);
    };
  }, []);
  return isReady;
}
