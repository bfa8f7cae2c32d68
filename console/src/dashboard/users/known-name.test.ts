import { expect, it } from 'vitest';
import { knownNameOf } from './known-name';

const person = { fullName: 'Unnamed', email: null, externalId: null, createdAt: '2026-05-12T12:00:00.000Z' };

it('names people without a name by what is known of them', () => {
  expect(knownNameOf({ ...person, fullName: 'Ada' })).toBe('Ada');
  expect(knownNameOf({ ...person, email: 'ada@example.com', externalId: 'E-1' })).toBe('ada@example.com');
  expect(knownNameOf({ ...person, externalId: 'E-1' })).toBe('E-1');
  expect(knownNameOf(person)).toMatch(/^Person added .*12/);
  // Only erased people have an empty name.
  expect(knownNameOf({ ...person, fullName: '' })).toBe('');
});
