import { expect, test } from 'vitest';
import { DEFAULT_SCOPES, SCOPE_GROUPS } from './scopes';

test('selects all scopes for a new key except those of simulated sign-on', () => {
  const simulated = ['saml:login', 'saml:callback', 'oidc:authorize', 'oidc:callback'];
  const all = SCOPE_GROUPS.flatMap(([, scopes]) => scopes.map(([scope]) => scope));
  expect(new Set(all).size).toBe(19);
  expect(DEFAULT_SCOPES).toEqual(all.filter((scope) => !simulated.includes(scope)));
});
