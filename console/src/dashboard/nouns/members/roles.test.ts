import { expect, test } from 'vitest';
import { ROLES as SERVICE_ROLES } from '../../../../../server/src/model/roles';
import { hasRole, ROLES, textOfMember } from './roles';

test('the roles are those of the service, in its order', () => {
  expect(new Set(Object.keys(ROLES))).toEqual(new Set(SERVICE_ROLES));
  for (const [at, held] of SERVICE_ROLES.entries())
    for (const [needed, required] of SERVICE_ROLES.entries())
      expect([held, required, hasRole(held, required)]).toEqual([held, required, at >= needed]);
});

test('a member without a name is shown by e-mail', () => {
  expect(textOfMember({ name: 'Grace Hopper', email: 'grace@example.com' })).toBe('Grace Hopper');
  expect(textOfMember({ name: null, email: 'grace@example.com' })).toBe('grace@example.com');
});
