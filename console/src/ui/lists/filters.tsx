import { Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { SelectField, TextField } from '../forms/field';
import style from './filters.module.css';

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

const FilterRow = ({ children }: { readonly children: ReactNode }) => (
  <search className={style.filters} aria-label="Filters">
    {children}
  </search>
);

/** Changes one value in the address, in place of the page's entry in the history. An empty value removes it. */
export function useChange() {
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
  byTime = false,
  children,
}: {
  readonly filters: F;
  /** What the list can be searched for. */
  readonly search?: string;
  /** Whether the list can be restricted to a range of days. */
  readonly byTime?: boolean;
  readonly children?: ReactNode;
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
      {byTime && <DayFields />}
      {children}
    </FilterRow>
  );
}

/** A day such as `2026-05-12` as its start in the reader's time zone. */
export function readDate(text: string | null): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && year >= 2000 ? date : undefined;
}

function DayFields() {
  const change = useChange();
  const [search] = useSearchParams();
  const [adding, setAdding] = useState(false);
  const days = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
  if (!adding && days.from === '' && days.to === '')
    return (
      <button type="button" className={style.add} onClick={() => setAdding(true)}>
        <Plus size={14} aria-hidden="true" />
        Date
      </button>
    );
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          type="date"
          label={name === 'from' ? 'From' : 'To'}
          value={days[name]}
          onChange={(event) => change(name, event.target.value)}
        />
      ))}
    </>
  );
}

/** A filter that was chosen elsewhere, for example by a link of a person. */
export const FilterChip = ({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) => (
  <div className={style.chip}>
    <span>{name}</span>
    <strong>{children}</strong>
    <button type="button" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
      <X size={14} aria-hidden="true" />
    </button>
  </div>
);

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
  // “Clear filters” and the browser's buttons change the address.
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
      label="Search"
      placeholder={hint}
      value={typed}
      maxLength={MAX_SEARCH_LENGTH}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
