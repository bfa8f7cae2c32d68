import { type RefObject, useEffect, useRef } from 'react';

/** How far below the window the end of the list may be when the next page is loaded. */
const AHEAD_PX = 600;

/**
 * Loads the next page while the reader scrolls near the end of a list. Returns the ref of what stands at the end. A list that was
 * not scrolled keeps its first page, so that short lists are not read twice.
 */
export function useNextPage(canLoad: boolean, load: () => void): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!canLoad) return;
    const check = () => {
      if (end.current && end.current.getBoundingClientRect().top < innerHeight + AHEAD_PX) latest.current();
    };
    addEventListener('scroll', check, { passive: true });
    return () => removeEventListener('scroll', check);
  }, [canLoad]);
  return end;
}
