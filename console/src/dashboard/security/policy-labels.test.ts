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
