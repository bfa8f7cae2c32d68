import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** What a link has after the #. It leaves the address bar and the history. */
export function useTokenOfLink(): string {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  useEffect(() => {
    if (hash === '') return;
    // Another link can be opened in the same tab, which only changes the fragment.
    setToken(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return token;
}
