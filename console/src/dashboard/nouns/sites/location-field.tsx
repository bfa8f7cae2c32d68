import { useState } from 'react';
import { SelectField, TextField } from '../../../ui/forms/fields/field';
import { useSites } from './use-sites';

const ELSEWHERE = 'elsewhere';

/** The location of a device: one of the sites, or any text. Its name in the form is `locationId`. */
export function LocationField({ location }: { readonly location: string }) {
  const { data: sites = [] } = useSites();
  const [chosen, choose] = useState<string>();
  if (sites.length === 0) return <Place location={location} label="Location" />;
  const isSite = location === '' || sites.some(({ id }) => id === location);
  const value = chosen ?? (isSite ? location : ELSEWHERE);
  return (
    <>
      <SelectField
        label="Site"
        hint="Where people clock in at this device."
        name={value === ELSEWHERE ? undefined : 'locationId'}
        value={value}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">None</option>
        {sites.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={ELSEWHERE}>Another place</option>
      </SelectField>
      {value === ELSEWHERE && <Place location={isSite ? '' : location} label="Place" />}
    </>
  );
}

const Place = ({ location, label }: { readonly location: string; readonly label: string }) => (
  <TextField
    label={label}
    name="locationId"
    hint="Optional. Your own name or number for the location."
    defaultValue={location}
    maxLength={200}
  />
);
