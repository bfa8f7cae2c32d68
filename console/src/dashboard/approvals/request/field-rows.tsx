import { Plus, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import style from './request.module.css';

const MAX_ROWS = 12;

interface FieldRow {
  /** Stays with its row when others are removed. */
  readonly key: number;
  readonly label: string;
  readonly value: string;
}

interface Rows {
  readonly rows: readonly FieldRow[];
  readonly set: (rows: readonly FieldRow[]) => void;
  /** The names of the inputs, as the service’s errors name them. */
  readonly names: readonly string[];
  /** The rows without empty ones, which are removed, so that the service’s errors name the rows that are shown. */
  readonly take: () => readonly FieldRow[];
}

export function useFieldRows(): Rows {
  const [rows, set] = useState<readonly FieldRow[]>([{ key: 0, label: '', value: '' }]);
  const names = rows.flatMap((_, at) => [`fields.${at}.label`, `fields.${at}.value`]);
  const take = () => {
    const filled = rows.filter(({ label, value }) => `${label}${value}`.trim() !== '');
    set(filled);
    return filled;
  };
  return { rows, set, names, take };
}

/** The fields of an action: a label and a value in a row. */
export function FieldRows({ of: { rows, set } }: { readonly of: Rows }) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const added = useRef(false);
  // Before the browser handles another key, which would go to the element that had the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another number of rows moves the focus
  useLayoutEffect(() => {
    const labels = fieldset.current?.querySelectorAll<HTMLElement>('input[name$=".label"]');
    if (added.current) [...(labels ?? [])].at(-1)?.focus();
    added.current = false;
  }, [rows.length]);
  const change = (key: number, part: Partial<FieldRow>) =>
    set(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const remove = (key: number) => {
    set(rows.filter((row) => row.key !== key));
    fieldset.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  };
  return (
    <fieldset ref={fieldset} className={style.group}>
      <legend>Fields</legend>
      {rows.map(({ key, label, value }, at) => (
        <div key={key} className={style.row}>
          <TextField
            label={`Label ${at + 1}`}
            labelHidden
            name={`fields.${at}.label`}
            placeholder="Amount"
            maxLength={40}
            autoComplete="off"
            value={label}
            onChange={({ currentTarget }) => change(key, { label: currentTarget.value })}
          />
          <TextField
            label={`Value ${at + 1}`}
            labelHidden
            name={`fields.${at}.value`}
            placeholder="€1,200.50"
            maxLength={400}
            autoComplete="off"
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <Button look="quiet" aria-label={`Remove field ${at + 1}`} onClick={() => remove(key)}>
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div>
        <Button
          small
          data-add
          disabled={rows.length >= MAX_ROWS}
          onClick={() => {
            added.current = true;
            set([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, label: '', value: '' }]);
          }}
        >
          <Plus size={16} aria-hidden="true" />
          {rows.length === 0 ? 'Add a field' : 'Add another field'}
        </Button>
      </div>
    </fieldset>
  );
}
