import { expect, test } from 'vitest';
import { deletedText } from './retention-text';

test('names what there is, in both numbers', () => {
  expect(deletedText({ verifications: 1234, attendance: 1, registrations: 0, isExact: true })).toEqual({
    text: 'Saving this deletes now: 1,234 verifications, 1 attendance event. They can’t be restored.',
    isNothing: false,
  });
  expect(deletedText({ verifications: 100_000, attendance: 0, registrations: 2, isExact: false }).text).toBe(
    'Saving this deletes now: at least 100,000 verifications, 2 registrations. They can’t be restored.',
  );
});

test('says that nothing is that old', () => {
  expect(deletedText({ verifications: 0, attendance: 0, registrations: 0, isExact: true }).isNothing).toBe(
    true,
  );
});
