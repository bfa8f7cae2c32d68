import { useEffect, useState } from 'react';

/** What a link has after the #; undefined until the page works. It leaves the address bar and the history. */
export function useTokenOfLink(): string | undefined {
  const [token, setToken] = useState<string>();
  useEffect(() => {
    const take = () => {
      const found = location.hash.slice(1);
      if (found !== '') history.replaceState(history.state, '', location.pathname);
      setToken((before) => (found === '' ? (before ?? '') : found));
    };
    take();
    // Another link can be opened in the same tab, which only changes the fragment.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}
