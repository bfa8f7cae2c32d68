import { useEffect, useRef } from 'react';

/** Who went to another page by keyboard or screen reader goes on there. Not at the first page, where the browser did so. */
export function useFocusFollows(pathname: string, id: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    // The root only leads on.
    if (before.current !== pathname && before.current !== '/') document.getElementById(id)?.focus();
    before.current = pathname;
  }, [pathname, id]);
}
