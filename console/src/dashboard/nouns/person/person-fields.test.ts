import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PERSON_FIELD_NAMES, PERSON_FIELDS } from './person-fields';

const { components } = JSON.parse(
  readFileSync(new URL('../../../../../contract/openapi.json', import.meta.url), 'utf8'),
);

it('has the fields of an imported person, with the limits of the API', () => {
  const { properties, required } = components.schemas.ImportedUser;
  expect([...PERSON_FIELD_NAMES].sort()).toEqual(Object.keys(properties).sort());
  for (const name of PERSON_FIELD_NAMES) {
    expect(PERSON_FIELDS[name].maxLength, name).toBe(properties[name].maxLength);
    expect(PERSON_FIELDS[name].required ?? false, name).toBe(required.includes(name));
  }
});
