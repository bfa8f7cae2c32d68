import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Rows } from '../../ui/lists/rows';
import { MAX_ORIGINS, originErrors, originOf } from './origins';
import style from './origins-field.module.css';

/** The list of origins, to add to and to remove from. Each shows why the service did not accept it. */
export function OriginsField({
  origins,
  rejection,
  onChange,
}: {
  readonly origins: readonly string[];
  readonly rejection: unknown;
  readonly onChange: (origins: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLDivElement>(null);
  const focus = () => field.current?.querySelector('input')?.focus();
  const rejected = originErrors(rejection);
  const add = () => {
    focus();
    const origin = originOf(typed);
    if (origin === undefined) return setError('Type an address such as https://app.example.com.');
    if (origins.includes(origin)) return setError(`${origin} is already in the list.`);
    onChange([...origins, origin]);
    setTyped('');
    setError(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Otherwise it would save the policy.
    event.preventDefault();
    add();
  };
  return (
    <fieldset className={style.origins}>
      <legend>Origins of sign-in pages</legend>
      <p className={style.hint}>
        Only pages of these origins can be named on the phone as the page that asks.
      </p>
      {origins.length > 0 && (
        <Rows lined className={style.list}>
          {origins.map((origin, at) => (
            <li key={origin}>
              <code>{origin}</code>
              <Button
                look="quiet"
                small
                aria-label={`Remove ${origin}`}
                onClick={() => {
                  onChange(origins.filter((other) => other !== origin));
                  focus();
                }}
              >
                <X size={16} aria-hidden="true" />
              </Button>
              {rejected.has(at) && (
                <p className={style.error} role="alert">
                  {origin} {rejected.get(at)}.
                </p>
              )}
            </li>
          ))}
        </Rows>
      )}
      <div ref={field} className={style.add}>
        <TextField
          label="New origin"
          value={typed}
          error={error}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://app.example.com"
          disabled={origins.length >= MAX_ORIGINS}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <Button onClick={add} disabled={origins.length >= MAX_ORIGINS}>
          <Plus size={18} aria-hidden="true" />
          Add
        </Button>
      </div>
    </fieldset>
  );
}
