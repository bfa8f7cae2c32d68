import { expect, test } from 'vitest';
import { codeEnd } from './code-end';

test('a code that moves ends with the slot after its own, and any other does not', () => {
  const fields = 'a:b:1778567700:c:live:aHR0cA';
  expect(codeEnd(`za:pair:2:${fields}:177856770:mac_of-the-slot0`)).toBe(1_778_567_720_000);
  expect(codeEnd(`za:pair:1:${fields}`)).toBeUndefined();
  expect(codeEnd('za:pair:2:')).toBeUndefined();
});
