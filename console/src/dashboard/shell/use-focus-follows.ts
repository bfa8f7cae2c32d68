import { useEffect, useRef } from 'react';

/**
 * Moves the focus after navigation, for keyboards and screen readers: to the record that was opened, to the row of the record
 * that was closed, else to the content. The browser handles the first page.
 */
export function useFocusFollows(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    const previous = before.current;
    before.current = pathname;
    // The root only redirects.
    if (previous === pathname || previous === '/') return;
    const row = document.querySelector<HTMLElement>(`main a[href^="${CSS.escape(`/dashboard${previous}`)}"]`);
    const isClosed = previous.startsWith(`${pathname}/`);
    const target =
      document.getElementById('record') ?? (isClosed ? row : null) ?? document.getElementById('main');
    target?.focus();
  }, [pathname]);
}
