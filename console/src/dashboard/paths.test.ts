import { expect, it } from 'vitest';
import { accountPage, addressSince, pageIn, recordIn } from './paths';

it('finds each page and record at its address before the rooms', () => {
  for (const page of [
    'overview',
    'users',
    'devices',
    'registrations',
    'verifications',
    'pairing',
    'attendance',
    'approvals',
    'webhooks',
    'applications',
    'requests',
    'playground',
    'audit',
  ] as const)
    expect(addressSince(`/test/${page}`)).toBe(pageIn('test', page));
  for (const page of ['keys', 'security', 'profile', 'team', 'usage', 'your-security'] as const)
    expect(addressSince(`/account/${page}`)).toBe(accountPage(page));
  expect(addressSince('/account/password')).toBe('/settings/security');
  expect(addressSince('/live/users/42')).toBe(recordIn('live', 'users', 42));
  expect(addressSince('/live/webhooks/a%2Fb')).toBe('/live/developers/webhooks/a%2Fb');
});

it('finds nothing at an address that no page had', () => {
  for (const pathname of [
    '/',
    '/live',
    '/live/nothing',
    '/live/constructor',
    '/live/keys',
    '/account',
    '/account/users',
    '/users',
  ])
    expect(addressSince(pathname)).toBeUndefined();
});
