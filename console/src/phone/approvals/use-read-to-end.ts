import { type RefObject, useEffect, useState } from 'react';

/** Elements are not laid out at whole pixels. */
const TOLERANCE_PX = 2;

/**
 * Whether the end of a text has been on the screen since it was ready, and not behind the buttons at the bottom. That is immediately so if
 * all of it fits.
 */
export function useReadToEnd(
  isReady: boolean,
  end: RefObject<HTMLElement | null>,
  buttons: RefObject<HTMLElement | null>,
): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (!isReady || isRead) return;
    const check = () => {
      if (end.current === null || buttons.current === null) return;
      const { top } = buttons.current.getBoundingClientRect();
      if (end.current.getBoundingClientRect().bottom <= Math.min(top, innerHeight) + TOLERANCE_PX)
        setRead(true);
    };
    check();
    addEventListener('scroll', check, { passive: true });
    addEventListener('resize', check);
    return () => {
      removeEventListener('scroll', check);
      removeEventListener('resize', check);
    };
  }, [isReady, isRead, end, buttons]);
  return isRead;
}
