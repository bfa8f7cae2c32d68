import { useEffect, useRef } from 'react';

/** Moves the focus to the content after navigation, for keyboards and screen readers. The browser handles the first page. */
export function useFocusFollows(pathname: string, id: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    // The root only redirects.
    if (before.current !== pathname && before.current !== '/') document.getElementById(id)?.focus();
    before.current = pathname;
  }, [pathname, id]);
}
