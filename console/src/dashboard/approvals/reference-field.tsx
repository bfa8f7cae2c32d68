import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TextField } from '../../ui/forms/fields/field';
import { useChange } from '../../ui/lists/filters/filters';

const MAX_LENGTH = 128;

/** The reference that the list is restricted to, from the address. */
export const readReference = (search: URLSearchParams): string | undefined =>
  search.get('reference')?.trim().slice(0, MAX_LENGTH) || undefined;

/** Filters by the caller’s own id, which has to be complete. */
export function ReferenceField() {
  const change = useChange();
  const reference = readReference(useSearchParams()[0]) ?? '';
  const [typed, setTyped] = useState(reference);
  // “Clear filters” and the browser's buttons change the address.
  useEffect(() => setTyped(reference), [reference]);
  const apply = () => {
    if (typed.trim() !== reference) change('reference', typed.trim());
  };
  return (
    <TextField
      label="Reference"
      placeholder="for example invoice-1815"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_LENGTH}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}
