import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';

/**
 * Moves the focus after navigation, for keyboards and screen readers: to the record that was opened, to the row of the record
 * that was closed, else to the content, which begins at its top. The browser handles the first page.
 */
export function useFocusFollows(pathname: string): void {
  const before = useRef(pathname);
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address moves the focus
  useEffect(() => {
    const previous = before.current;
    before.current = pathname;
    // The root only redirects.
    if (previous === pathname || previous === '/') return;
    const row = document.querySelector<HTMLElement>(`main a[href^="${CSS.escape(`/dashboard${previous}`)}"]`);
    const isOpened = pathname.startsWith(`${previous}/`);
    const isClosed = previous.startsWith(`${pathname}/`);
    const record = document.getElementById('record');
    if (record === null && isClosed && row) return row.focus();
    // The list beside a record stays where it is, and so does the page that somebody returns to.
    (record ?? document.getElementById('main'))?.focus({ preventScroll: true });
    if (record === null && !isOpened && !isClosed && how !== 'POP') scrollTo(0, 0);
  }, [pathname]);
}
