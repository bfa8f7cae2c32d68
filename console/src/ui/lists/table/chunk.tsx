import { useContext, useEffect, useRef, useState } from 'react';
import { nameOfDay } from '../../dates/days';
import { WordsContext } from '../../words';
import type { Column } from '../column';
import style from '../list.module.css';
import { Clock } from '../time';
import type { Chunked } from './chunks-of';
import { Row } from './table-row';

/** How far from the window rows stay in the document: what a quick scroll covers before the next frame. */
const AROUND = '1600px 0px';

interface ChunkOf<T> {
  readonly chunk: Chunked<T>;
  readonly columns: readonly Column<T>[];
  readonly addressOf: ((item: T) => string) | undefined;
  readonly search: string;
  /** The row whose record is open. */
  readonly openId: string | undefined;
  /** Whether its rows leave the document while they are far from the window. */
  readonly canLeave: boolean;
}

/** Some rows of a list, below the name of their day. Their height stays when they leave the document. */
export function Chunk<T extends { readonly id: string }>({
  chunk: { items, start, day },
  columns,
  addressOf,
  search,
  openId,
  canLeave,
}: ChunkOf<T>) {
  const [body, height] = useHeightWhileFar(canLeave, openId !== undefined);
  if (height !== undefined)
    return (
      <tbody ref={body} aria-hidden="true">
        <tr className={style.gap} style={{ height }} />
      </tbody>
    );
  return (
    <tbody ref={body}>
      {day !== undefined && <Day at={day} columns={columns.length} />}
      {items.map((item, at) => (
        <Row
          key={item.id}
          item={item}
          columns={columns}
          address={addressOf?.(item)}
          search={search}
          isOpen={item.id === openId}
          // The header is the first row.
          index={canLeave ? start + at + 2 : undefined}
        />
      ))}
    </tbody>
  );
}

function Day({ at, columns }: { readonly at: string; readonly columns: number }) {
  const { locale } = useContext(WordsContext);
  const now = useContext(Clock);
  return (
    <tr className={style.day}>
      <th scope="rowgroup" colSpan={columns}>
        {nameOfDay(new Date(at), new Date(now()), locale)}
      </th>
    </tr>
  );
}

/** The height of rows that are far from the window. Undefined while they are near, have the focus, or one of them is open. */
function useHeightWhileFar(canLeave: boolean, isOpen: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [height, setHeight] = useState<number>();
  const stays = useRef(isOpen);
  stays.current = isOpen;
  useEffect(() => {
    const element = body.current;
    if (!canLeave || element === null) return;
    const watch = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        if (last.isIntersecting) return setHeight(undefined);
        const isUsed = stays.current || element.contains(document.activeElement);
        if (!isUsed) setHeight((before) => before ?? last.boundingClientRect.height);
      },
      { rootMargin: AROUND },
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      setHeight(undefined);
    };
  }, [canLeave]);
  return [body, height] as const;
}
