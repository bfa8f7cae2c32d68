import { expect, test } from 'vitest';
import { safeReturnUrl } from './return-url';

test.each([
  'https://app.example.com/signed-in#code',
  'http://localhost:3000/#code',
  'http://127.0.0.1/#code',
  'http://[::1]:8080/#code',
])('goes back to %s', (text) => expect(safeReturnUrl(text)?.href).toBe(text));

test.each([
  'http://app.example.com/#code',
  'http://localhost.evil.example/#code',
  'javascript:alert(1)//localhost',
  'data:text/html,hello',
  '/signed-in#code',
])('does not go back to %s', (text) => expect(safeReturnUrl(text)).toBeUndefined());
