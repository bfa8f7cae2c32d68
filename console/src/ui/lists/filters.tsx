import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../forms/button';
import { SelectField } from '../forms/field';
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

export function FilterBar<F extends Filters>({ filters }: { readonly filters: F }) {
  const [, setSearch] = useSearchParams();
  const chosen = useFilters(filters);
  const choose = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return (
    <FilterRow>
      {Object.entries(filters).map(([name, { label, options }]) => (
        <SelectField
          key={name}
          label={label}
          value={chosen[name] ?? ''}
          onChange={(event) => choose(name, event.target.value)}
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

/** What an empty list shows. If filters are chosen, it offers to remove them. */
export const emptyOf = (chosen: Chosen<Filters>, empty: Empty): Empty =>
  Object.keys(chosen).length === 0
    ? empty
    : {
        title: 'No matches',
        text: 'No record matches the filters.',
        action: <ButtonLink to={{ search: '' }}>Show all</ButtonLink>,
      };
