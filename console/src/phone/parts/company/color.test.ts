import { expect, test } from 'vitest';
import { colorOf } from './color';

test('gives an account without a brand always the same color', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  expect(colorOf(id, undefined)).toBe(colorOf(id, undefined));
  expect(colorOf(id, { accentColor: '#123456' })).toBe('#123456');
});
