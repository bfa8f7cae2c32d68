import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUserCode } from './user-code';

const typed = (text: string, caret = text.length) => formatUserCode({ text, caret });

test.each([
  ['', ''],
  ['bcdf', 'BCDF'],
  ['bcdfg', 'BCDF-G'],
  ['bcdf-ghjk', 'BCDF-GHJK'],
  [' bcdf ghjk\n', 'BCDF-GHJK'],
  ['BCDFGHJKLMN', 'BCDF-GHJK'],
  ['bcdf–ghjk.', 'BCDF-GHJK'],
])('%j becomes %s', (text, shown) => expect(typed(text).text).toBe(shown));

test('keeps the cursor at the same character', () => {
  expect(typed('bxcd-fghj', 2)).toEqual({ text: 'BXCD-FGHJ', caret: 2 });
  expect(typed('bcdfg')).toEqual({ text: 'BCDF-G', caret: 6 });
  // After deleting the hyphen, the cursor is before it.
  expect(typed('bcdfghjk', 4)).toEqual({ text: 'BCDF-GHJK', caret: 4 });
});

test('shows any input in the same form, which stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, caret) => {
      const shown = formatUserCode({ text, caret });
      expect(shown.text).toMatch(/^([A-Z0-9]{0,4}|[A-Z0-9]{4}-[A-Z0-9]{1,4})$/);
      expect(shown.caret).toBeLessThanOrEqual(shown.text.length);
      expect(formatUserCode(shown)).toEqual(shown);
    }),
  );
});
