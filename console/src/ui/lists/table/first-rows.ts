import { useEffect, useMemo, useState } from 'react';

/** As many as a large window shows. */
const FIRST_ROWS = 25;

/** Those that a reader sees first when the list opens, and all of them once those are on the screen. */
export function useFirstRows<T>(items: readonly T[]): readonly T[] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // An effect alone could run before the browser has painted.
    const timer = setTimeout(() => setOpen(true));
    return () => clearTimeout(timer);
  }, []);
  return useMemo(() => (isOpen ? items : items.slice(0, FIRST_ROWS)), [isOpen, items]);
}
