import { TextField } from '../../../ui/forms/fields/field';
import { PERSON_FIELD_NAMES, PERSON_FIELDS, type PersonField } from './person-fields';

/** Fields for what is known of a person. The browser does not fill in what it knows of its owner. */
export const PersonInputs = ({ of }: { readonly of?: Readonly<Record<PersonField, string | null>> }) =>
  PERSON_FIELD_NAMES.map((name) => (
    <TextField
      key={name}
      {...PERSON_FIELDS[name]}
      name={name}
      defaultValue={of?.[name] ?? ''}
      autoComplete="off"
    />
  ));

/** What was typed, without the spaces around it. Null for a field that was left empty. */
export const typedOf = (input: Readonly<Record<PersonField, string>>) =>
  Object.fromEntries(PERSON_FIELD_NAMES.map((name) => [name, input[name].trim() || null])) as Record<
    PersonField,
    string | null
  >;
