import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import type { Column } from '../../../ui/lists/list';
import { type Group, groupsOf } from './groups';

/**
 * Equal neighbours of a list as one row, with their number before the first column and a button that shows each. The group that has
 * the open record is shown whole.
 */
export function useGrouped<T extends { readonly id: string }>(
  items: readonly T[],
  sameAs: ((item: T) => string) | undefined,
  isOpened: (item: T) => boolean,
) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => (sameAs ? groupsOf(items, sameAs) : []), [items, sameAs]);
  if (!groups.some(isMany)) return undefined;
  const isShown = (group: Group<T>) => group.items.some((item) => shown.has(item.id) || isOpened(item));
  const toggle = ({ items: all }: Group<T>, show: boolean) =>
    setShown((before) => {
      const after = new Set(before);
      for (const { id } of all) show ? after.add(id) : after.delete(id);
      return after;
    });
  const first = new Map(groups.filter(isMany).map((group) => [group.first.id, group]));
  return {
    items: groups.flatMap((group) => (isShown(group) ? group.items : [group.first])),
    columns: (columns: readonly Column<T>[]): readonly Column<T>[] => [
      ...columns.map((column, at) => (at === 0 ? counted(column, first, isShown) : column)),
      {
        name: 'Repeats',
        short: true,
        narrow: 'actions',
        cell: (item) => <Toggle group={first.get(item.id)} isShown={isShown} onToggle={toggle} />,
      },
    ],
  };
}

const isMany = <T,>({ items }: Group<T>): boolean => items.length > 1;

function counted<T extends { readonly id: string }>(
  column: Column<T>,
  first: ReadonlyMap<string, Group<T>>,
  isShown: (group: Group<T>) => boolean,
): Column<T> {
  const { cell, at: _, ...place } = column;
  if (cell === undefined) return column;
  const counting = (item: T): ReactNode => {
    const group = first.get(item.id);
    return (
      <>
        {group && !isShown(group) && <strong>{group.items.length} × </strong>}
        {cell(item)}
      </>
    );
  };
  return { ...place, cell: counting };
}

function Toggle<T>({
  group,
  isShown,
  onToggle,
}: {
  readonly group: Group<T> | undefined;
  readonly isShown: (group: Group<T>) => boolean;
  readonly onToggle: (group: Group<T>, show: boolean) => void;
}) {
  if (group === undefined) return null;
  const isOpen = isShown(group);
  return (
    <Button small look="quiet" aria-expanded={isOpen} onClick={() => onToggle(group, !isOpen)}>
      {isOpen ? 'Show one' : `Show all ${group.items.length}`}
    </Button>
  );
}
