import { expect, test } from 'vitest';
import { claimsFrom, linesOf, scopesFor, standardClaims, textOfClaims, withClaim } from './claims';

const OWN = { profile: true, groups: 'metadata.groups', 'https://example.com/site': 'metadata.work.site' };

test('a form shows custom claims one per line, and sends them as it got them', () => {
  const lines = 'groups: metadata.groups\nhttps://example.com/site: metadata.work.site';
  expect(linesOf(OWN)).toBe(lines);
  for (const colon of [':', '  :   '])
    expect(claimsFrom(['profile'], `\n${lines.replace(': ', colon)}\n`)).toEqual(OWN);
  expect(claimsFrom([], 'groups: roles')).toEqual({ groups: 'roles' });
});

test('claims without custom ones stay a list', () => {
  expect(claimsFrom(['email'], ' \n')).toEqual(['email']);
  expect(withClaim(['profile'], 'email')).toEqual(['profile', 'email']);
  expect(withClaim(OWN, 'email')).toEqual({ ...OWN, email: true });
});

test('a line without a path is sent, so that the service can say what is missing', () =>
  expect(claimsFrom([], 'groups')).toEqual({ groups: '' }));

test.each([
  [[], 'Only an identifier', ['openid']],
  [['profile'], 'Name', ['openid', 'profile']],
  [['profile', 'email'], 'Name and e-mail address', ['openid', 'profile', 'email']],
  [OWN, 'Name, groups and https://example.com/site', ['openid', 'profile', 'groups']],
] as const)('%j are named %j, and asked for by %j', (claims, text, scopes) => {
  expect(textOfClaims(claims)).toBe(text);
  expect(scopesFor(claims)).toEqual(scopes);
  expect(standardClaims(claims)).toEqual(scopes.filter((scope) => scope === 'profile' || scope === 'email'));
});
