import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../forms/button';
import { SelectField, TextField } from '../forms/field';
import style from './filters.module.css';
import type { Empty } from './list';

/** The filters of a list: each one's query parameter, and its values with their labels. */
export type Filters = Readonly<
  Record<string, { readonly label: string; readonly options: Readonly<Record<string, string>> }>
>;
export type Chosen<F extends Filters> = { readonly [K in keyof F]?: keyof F[K]['options'] & string };

/** Reads the chosen filters from the address, so they can be shared and survive a login. Unknown values are ignored. */
export function useFilters<F extends Filters>(filters: F): Chosen<F> {
  const [search] = useSearchParams();
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, { options }]) => {
      const value = search.get(name);
      return value !== null && Object.hasOwn(options, value) ? [[name, value]] : [];
    }),
  ) as Chosen<F>;
}

export const FilterRow = ({ children }: { readonly children: ReactNode }) => (
  <search className={style.filters} aria-label="Filters">
    {children}
  </search>
);

/** Changes one value in the address, in place of the page's entry in the history. */
function useChange() {
  const [, setSearch] = useSearchParams();
  return (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
}

export function FilterBar<F extends Filters>({
  filters,
  search,
}: {
  readonly filters: F;
  /** What the list can be searched for. */
  readonly search?: string;
}) {
  const change = useChange();
  const chosen = useFilters(filters);
  return (
    <FilterRow>
      {search && <SearchField hint={search} />}
      {Object.entries(filters).map(([name, { label, options }]) => (
        <SelectField
          key={name}
          label={label}
          value={chosen[name] ?? ''}
          onChange={(event) => change(name, event.target.value)}
        >
          <option value="">All</option>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
    </FilterRow>
  );
}

const MAX_SEARCH_LENGTH = 200;
const TYPING_MS = 250;

/** What the list is searched for, from the address. */
export function useSearched(): { readonly q?: string } {
  const q = useSearchParams()[0].get('q')?.trim().slice(0, MAX_SEARCH_LENGTH);
  return q ? { q } : {};
}

/** Searches when the reader pauses typing. */
function SearchField({ hint }: { readonly hint: string }) {
  const change = useChange();
  const { q = '' } = useSearched();
  const [typed, setTyped] = useState(q);
  // “Show all” and the browser's buttons change the address.
  useEffect(() => setTyped((before) => (before.trim() === q ? before : q)), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts a search
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => change('q', typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      type="search"
      label="Find"
      placeholder={hint}
      value={typed}
      maxLength={MAX_SEARCH_LENGTH}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

/** What an empty list shows. If it is filtered or searched, it offers to show all. The environment is no filter. */
export const emptyOf = (query: Readonly<Record<string, string | undefined>>, empty: Empty): Empty =>
  Object.keys(query).every((name) => name === 'environment')
    ? empty
    : {
        title: 'No matches',
        text: 'No record matches the filters.',
        action: <ButtonLink to={{ search: '' }}>Show all</ButtonLink>,
      };
