import { expect, test } from 'vitest';
import {
  hasRole as mayInService,
  NEEDS,
  ROLES as SERVICE_ROLES,
} from '../../../../../server/src/model/roles';
import { hasRole, ROLES, textOfMember } from './roles';

test('the roles are those of the service, and enough for the same', () => {
  expect(new Set(Object.keys(ROLES))).toEqual(new Set(SERVICE_ROLES));
  for (const held of SERVICE_ROLES)
    for (const required of NEEDS)
      expect([held, required, hasRole(held, required)]).toEqual([
        held,
        required,
        mayInService(held, required),
      ]);
});

test('a member without a name is shown by e-mail', () => {
  expect(textOfMember({ name: 'Grace Hopper', email: 'grace@example.com' })).toBe('Grace Hopper');
  expect(textOfMember({ name: null, email: 'grace@example.com' })).toBe('grace@example.com');
});
