/** Neighbours of a list that say the same, newest first. */
export interface Group<T> {
  readonly first: T;
  readonly items: readonly T[];
}

/** Puts equal neighbours together, so that a list does not repeat itself. The order stays. */
export function groupsOf<T>(items: readonly T[], sameAs: (item: T) => string): readonly Group<T>[] {
  const groups: { readonly key: string; readonly first: T; readonly items: T[] }[] = [];
  for (const item of items) {
    const key = sameAs(item);
    const last = groups.at(-1);
    if (last?.key === key) last.items.push(item);
    else groups.push({ key, first: item, items: [item] });
  }
  return groups;
}
