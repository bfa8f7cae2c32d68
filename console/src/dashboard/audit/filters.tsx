import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { SelectField, TextField } from '../../ui/forms/field';
import { FilterRow } from '../../ui/lists/filters';

export interface Filter {
  readonly action?: string;
  readonly status?: 'success' | 'failure';
}

const ACTION = /^[a-z_]+(\.[a-z_]+)+$/;

/** Reads the filter from the address and ignores values that the API would reject. */
export function readFilter(search: URLSearchParams): Filter {
  const action = search.get('action') ?? '';
  const status = search.get('status');
  return {
    ...(ACTION.test(action) && action.length <= 64 && { action }),
    ...((status === 'success' || status === 'failure') && { status }),
  };
}

export function Filters({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Record<string, string>) => void;
}) {
  const [fault, setFault] = useState<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const action = String(form.get('action')).trim();
    const status = String(form.get('status'));
    const sound = action === '' || (ACTION.test(action) && action.length <= 64);
    setFault(
      sound ? undefined : 'Enter an action with a dot between its words, for example api_key.revoked.',
    );
    if (sound) onChange({ ...(action && { action }), ...(status && { status }) });
  };
  return (
    // The key resets the fields when the filter changes elsewhere.
    <form key={`${filter.action} ${filter.status}`} onSubmit={send}>
      <FilterRow>
        <TextField
          label="Action"
          name="action"
          defaultValue={filter.action ?? ''}
          placeholder="device.created"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={fault}
        />
        <SelectField label="Outcome" name="status" defaultValue={filter.status ?? ''}>
          <option value="">Any</option>
          <option value="success">Success</option>
          <option value="failure">Failure</option>
        </SelectField>
        <Button type="submit">Filter</Button>
        {(filter.action !== undefined || filter.status !== undefined) && (
          <Button look="quiet" onClick={() => onChange({})}>
            Show all
          </Button>
        )}
      </FilterRow>
    </form>
  );
}
