import { expect, it } from 'vitest';
import { WINDOWS_1252 } from '../../../../test/support/tables.js';
import { asWindows1252 } from './windows-1252.js';

it('encodes each character that Windows-1252 has', () => {
  for (const [byte, character] of WINDOWS_1252.entries())
    if (character !== undefined) expect([...asWindows1252(character)]).toEqual([byte]);
});

it('has one question mark for each other character', () => {
  expect(asWindows1252('Ł😀\ud800\u0080\u0081é').toString('latin1')).toBe('?????é');
});
