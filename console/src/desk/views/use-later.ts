import { useEffect, useState } from 'react';

type Later = typeof import('./later');

const RETRY_MS = 5_000;

/** The code that is needed later. Undefined until it is loaded. */
export function useLater(): Later | undefined {
  const [later, setLater] = useState<Later>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () =>
      void import('./later').then(setLater, () => {
        timer = setTimeout(load, RETRY_MS);
      });
    load();
    return () => clearTimeout(timer);
  }, []);
  return later;
}
