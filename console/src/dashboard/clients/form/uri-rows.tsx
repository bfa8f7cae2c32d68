import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import { useFieldError } from '../../../ui/forms/form';
import style from './form.module.css';

interface UriRow {
  /** Stays with its row when others are removed. */
  readonly key: number;
  readonly uri: string;
}

interface Uris {
  readonly rows: readonly UriRow[];
  readonly set: (rows: readonly UriRow[]) => void;
  /** The URIs without empty rows, which are removed, so that the service’s errors name the rows that are shown. */
  readonly take: () => readonly string[];
}

/** URIs that are edited one in a row. */
export function useUris(initial: readonly string[], minRows: number): Uris {
  const [rows, set] = useState<readonly UriRow[]>(() =>
    [...initial, ...Array(Math.max(0, minRows - initial.length)).fill('')].map((uri, key) => ({ key, uri })),
  );
  const take = () => {
    const filled = rows.filter(({ uri }) => uri.trim() !== '');
    if (filled.length >= minRows) set(filled);
    return filled.map(({ uri }) => uri.trim());
  };
  return { rows, set, take };
}

/** The names of the fields, as the service’s errors name them. */
export const namesOf = (name: string, { rows }: Uris): readonly string[] => [
  name,
  ...rows.map((_, at) => `${name}[${at}]`),
];

/** A list of URIs, one in a row. */
export function UriRows({
  legend,
  name,
  noun,
  hint,
  placeholder,
  uris: { rows, set },
  required = false,
}: {
  readonly legend: string;
  /** The name of the list in the request. */
  readonly name: string;
  /** What a single one is called, for example “redirect URI”. */
  readonly noun: string;
  readonly hint: ReactNode;
  readonly placeholder: string;
  readonly uris: Uris;
  /** There must be at least one. */
  readonly required?: boolean;
}) {
  const id = useId();
  const label = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const added = useRef(false);
  const problem = useFieldError(name);
  // Before the browser handles another key, which would go to the element that had the focus.
  useLayoutEffect(() => {
    if (added.current && rows.length > 0)
      [...(fieldset.current?.querySelectorAll('input') ?? [])].at(-1)?.focus();
    added.current = false;
  }, [rows.length]);
  const remove = (key: number) => {
    set(rows.filter((row) => row.key !== key));
    fieldset.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  };
  return (
    <fieldset ref={fieldset} className={style.group} aria-describedby={`${id}-hint`}>
      <legend>{legend}</legend>
      {rows.map(({ key, uri }, at) => (
        <div key={key} className={style.uri}>
          <TextField
            label={rows.length === 1 ? label : `${label} ${at + 1}`}
            labelHidden
            name={`${name}[${at}]`}
            value={uri}
            onChange={({ currentTarget: { value } }) =>
              set(rows.map((row) => (row.key === key ? { key, uri: value } : row)))
            }
            placeholder={placeholder}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required={required && rows.length === 1}
          />
          {(!required || rows.length > 1) && (
            <Button look="quiet" aria-label={`Remove ${noun} ${at + 1}`} onClick={() => remove(key)}>
              <X size={16} aria-hidden="true" />
            </Button>
          )}
        </div>
      ))}
      {problem && (
        <p className={style.problem} role="alert">
          {legend} {problem}.
        </p>
      )}
      <div>
        <Button
          small
          data-add
          onClick={() => {
            added.current = true;
            set([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, uri: '' }]);
          }}
        >
          <Plus size={16} aria-hidden="true" />
          {rows.length === 0 ? `Add a ${noun}` : `Add another ${noun}`}
        </Button>
      </div>
      <p className={style.hint} id={`${id}-hint`}>
        {hint}
      </p>
    </fieldset>
  );
}
