import { expect, test } from 'vitest';
import { choicesOf } from './policy';
import { changesBetween, hours } from './policy-labels';

const before = choicesOf({});

test('lists only the changed settings of a policy, in words', () => {
  expect(changesBetween(before, before)).toEqual([]);
  expect(changesBetween(before, { ...before, unbound: true, integrity: 'strong' })).toEqual([
    { name: 'Integrity that a phone must report', before: 'Nothing', after: 'Strong' },
    { name: 'Proofs that are not bound to a request', before: 'Not allowed', after: 'Allowed' },
  ]);
});

test('names the origins before and after', () => {
  const origins = ['https://app.example.com', 'https://example.com'];
  expect(changesBetween(before, { ...before, origins, match: true })).toEqual([
    { name: 'A number for each sign-in', before: 'Not required', after: 'Required' },
    {
      name: 'Origins of sign-in pages',
      before: 'None',
      after: 'https://app.example.com, https://example.com',
    },
  ]);
  expect(changesBetween({ ...before, origins }, { ...before, origins: [...origins] })).toEqual([]);
});

test('writes waits as hours and days', () => {
  const texts = [0, 1, 24, 36, 48, 168].map(hours);
  expect(texts).toEqual(['None', '1 hour', '24 hours', '36 hours', '2 days', '7 days']);
  expect(changesBetween(before, { ...before, recoveryHours: 72 })).toEqual([
    { name: 'Wait before a recovery is completed', before: '24 hours', after: '3 days' },
  ]);
});
