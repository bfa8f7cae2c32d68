import type { UserUpdateParams } from '@svc/sdk';
import type { ComponentProps } from 'react';
import type { TextField } from '../../../ui/forms/fields/field';

export type PersonField = 'fullName' | 'email' | 'phone' | 'externalId' | 'employeeCode';

type Field = { readonly label: string; readonly maxLength: number } & Pick<
  ComponentProps<typeof TextField>,
  'hint' | 'inputMode' | 'required'
>;

/**
 * What is known of a person, in the order of forms, files and pages, with the limits of the API. An address or a number may be any text,
 * so its field asks for a fitting keyboard only.
 */
export const PERSON_FIELDS: Readonly<Record<PersonField & keyof UserUpdateParams, Field>> = {
  fullName: { label: 'Full name', maxLength: 200, required: true },
  email: { label: 'E-mail', maxLength: 320, inputMode: 'email' },
  phone: { label: 'Phone', maxLength: 64, inputMode: 'tel' },
  externalId: {
    label: 'External ID',
    maxLength: 200,
    hint: 'The ID of this person in your own system. Unique in this environment.',
  },
  employeeCode: { label: 'Employee code', maxLength: 100 },
};

export const PERSON_FIELD_NAMES = Object.keys(PERSON_FIELDS) as readonly PersonField[];
