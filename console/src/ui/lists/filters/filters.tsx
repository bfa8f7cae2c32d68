import { SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Dialog, DialogActions } from '../../dialogs/dialog';
import { Button } from '../../forms/button';
import { ButtonLink } from '../../forms/button-link';
import { SelectField, TextField } from '../../forms/fields/field';
import { NARROW, useMedia } from '../../layout/use-media';
import { useListWords } from '../list-words';
import { useChange } from '../use-change';
import { DateFilter } from './date-filter';
import style from './filters.module.css';

export { useChange } from '../use-change';

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

interface Bar<F extends Filters> {
  readonly filters: F;
  /** What the list can be searched for. */
  readonly search?: string;
  /** Whether the list can be restricted to a range of days. */
  readonly byTime?: boolean;
  /** How many of the filters in `children` are set. */
  readonly more?: number;
  readonly children?: ReactNode;
}

/** The filters of a list in a line, and on a phone behind a button that counts those that are set. */
export function FilterBar<F extends Filters>({ search, ...fields }: Bar<F>) {
  const isNarrow = useMedia(NARROW);
  const words = useListWords();
  return (
    <search className={style.filters} aria-label={words.filters}>
      {search && <SearchField hint={search} />}
      {isNarrow ? <FilterSheet {...fields} /> : <FilterFields {...fields} />}
    </search>
  );
}

/** The filters without the search, each of which applies when it is changed. */
function FilterFields<F extends Filters>({ filters, byTime = false, children }: Omit<Bar<F>, 'search'>) {
  const change = useChange();
  const chosen = useFilters(filters);
  const words = useListWords();
  return (
    <>
      {Object.entries(filters).map(([name, { label, options }]) => (
        <SelectField
          key={name}
          label={label}
          value={chosen[name] ?? ''}
          onChange={(event) => change(name, event.target.value)}
        >
          <option value="">{words.all}</option>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
      {byTime && <DateFilter />}
      {children}
    </>
  );
}

function FilterSheet<F extends Filters>(fields: Omit<Bar<F>, 'search'>) {
  const [isOpen, setOpen] = useState(false);
  const [search] = useSearchParams();
  const isDated = fields.byTime && ['period', 'from', 'to'].some((name) => search.has(name));
  const set = Object.keys(useFilters(fields.filters)).length + (isDated ? 1 : 0) + (fields.more ?? 0);
  const close = () => setOpen(false);
  const words = useListWords();
  return (
    <>
      <Button className={style.open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal size={16} aria-hidden="true" />
        {words.filters}
        {set > 0 && (
          <span className={style.count}>
            {set}
            <span className="visually-hidden"> {words.set}</span>
          </span>
        )}
      </Button>
      {isOpen && (
        <Dialog title={words.filters} place="bottom" onClose={close}>
          <div className={style.sheet}>
            <FilterFields {...fields} />
          </div>
          <DialogActions>
            {set > 0 && <ButtonLink to={{ search: '' }}>{words.clear}</ButtonLink>}
            <Button look="primary" onClick={close}>
              {words.results}
            </Button>
          </DialogActions>
        </Dialog>
      )}
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
    <button
      type="button"
      className={style.remove}
      aria-label={`Remove the filter ${name}`}
      onClick={onRemove}
    >
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
