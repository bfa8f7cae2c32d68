import { expect, test } from 'vitest';
import { choicesOf } from './policy';
import { changesBetween } from './policy-words';

const before = choicesOf({});

test('a change of policy is shown in words, and only what is different', () => {
  expect(changesBetween(before, before)).toEqual([]);
  expect(changesBetween(before, { ...before, unbound: true, integrity: 'strong' })).toEqual([
    { name: 'Integrity that a phone must report', before: 'Nothing', after: 'Strong' },
    { name: 'Proofs that are not bound to a request', before: 'Not allowed', after: 'Allowed' },
  ]);
});
