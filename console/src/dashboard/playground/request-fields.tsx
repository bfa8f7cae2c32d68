import { Button } from '../../ui/forms/button';
import { SelectField, TextArea, TextField } from '../../ui/forms/fields/field';
import { type Draft, idOfField } from './draft';
import type { Endpoint, Field } from './endpoints';
import style from './playground.module.css';

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

/** The fields of a request. Those that may be left out show an example. */
export function RequestFields({
  endpoint,
  draft,
  faults,
  onChange,
}: {
  readonly endpoint: Endpoint;
  readonly draft: Draft;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (draft: Draft) => void;
}) {
  const setValue = (field: Field, value: string) =>
    onChange({ ...draft, values: { ...draft.values, [idOfField(field)]: value } });
  return (
    <>
      {PLACES.map(([place, heading]) => {
        const fields = endpoint.fields.filter((field) => field.in === place);
        return (
          fields.length > 0 && (
            <fieldset key={place} className={style.fields}>
              <legend>{heading}</legend>
              {fields.map((field) => (
                <Value
                  key={idOfField(field)}
                  field={field}
                  value={draft.values[idOfField(field)] ?? ''}
                  error={faults[idOfField(field)]}
                  onChange={(value) => setValue(field, value)}
                />
              ))}
            </fieldset>
          )
        );
      })}
      {endpoint.body !== undefined && (
        <div className={style.body}>
          <TextArea
            label="Body"
            value={draft.body}
            error={faults.body}
            rows={Math.min(16, Math.max(5, draft.body.split('\n').length))}
            spellCheck={false}
            dir="ltr"
            onChange={(event) => onChange({ ...draft, body: event.target.value })}
          />
          <Button
            small
            look="quiet"
            disabled={faults.body !== undefined || draft.body === ''}
            onClick={() => onChange({ ...draft, body: JSON.stringify(JSON.parse(draft.body), null, 2) })}
          >
            Format
          </Button>
        </div>
      )}
    </>
  );
}

function Value({
  field: { name, isRequired, options, example, hint },
  value,
  error,
  onChange,
}: {
  readonly field: Field;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const common = { label: name, value, error, hint };
  if (options)
    return (
      <SelectField {...common} onChange={(event) => onChange(event.target.value)}>
        {!isRequired && <option value="">Not sent</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
    );
  return (
    <TextField
      {...common}
      placeholder={isRequired ? undefined : example}
      spellCheck={false}
      autoComplete="off"
      required={isRequired}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
