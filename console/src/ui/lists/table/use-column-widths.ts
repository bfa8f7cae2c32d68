import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The widths of the columns, fixed while `isFixed`: they must not change when rows enter and leave the document. */
export function useColumnWidths(
  isFixed: boolean,
): readonly [RefObject<HTMLTableElement | null>, readonly string[] | undefined] {
  const table = useRef<HTMLTableElement>(null);
  const [widths, setWidths] = useState<readonly string[]>();
  useLayoutEffect(() => {
    if (isFixed && widths === undefined && table.current) setWidths(measure(table.current));
    if (!isFixed && widths !== undefined) setWidths(undefined);
  }, [isFixed, widths]);
  useEffect(() => {
    if (!isFixed || table.current === null) return;
    let last = table.current.clientWidth;
    const watch = new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? last);
      if (width === last) return;
      last = width;
      setWidths(undefined);
    });
    watch.observe(table.current);
    return () => watch.disconnect();
  }, [isFixed]);
  return [table, widths];
}

function measure(table: HTMLTableElement): readonly string[] {
  // Columns that are left out where the list is narrow have no width.
  const heads = [...table.querySelectorAll('thead th')]
    .map((head) => head.getBoundingClientRect().width)
    .filter((width) => width > 0);
  const all = heads.reduce((sum, width) => sum + width, 0) || 1;
  return heads.map((width) => `${((width / all) * 100).toFixed(3)}%`);
}
