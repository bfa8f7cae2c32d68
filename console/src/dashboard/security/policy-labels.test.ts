import { expect, test } from 'vitest';
import { choicesOf } from './policy';
import { changesBetween } from './policy-labels';

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
