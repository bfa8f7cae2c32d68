import { expect, it } from 'vitest';
import { repeatsKey } from './repeated-key.js';

it.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"x":[{"a":1,"b":{"c":1,"c":1}}]}',
  '{ "a" : {} , "b" : [ ] , "a" : 0 }',
  '{"a\\"":1,"a\\"":1}',
])('finds a key that an object has twice: %s [attestation/keys]', (json) => {
  JSON.parse(json);
  expect(repeatsKey(json)).toBe(true);
});

it.each([
  '{}',
  '[]',
  '"a"',
  '{"a":"a","b":"a"}',
  '[{"a":1},{"a":1}]',
  '{"a":{"a":{"a":1}},"b":["a","a","b"]}',
  '{"a":"{\\"b\\":1,\\"b\\":1}"}',
  '{"a":-1.5e3,"b":true,"c":null,"d":["a",{"a":[]},"a"]}',
])('accepts JSON whose objects have each key once: %s', (json) => {
  JSON.parse(json);
  expect(repeatsKey(json)).toBe(false);
});

it('reads 60 KB in linear time', () => {
  const before = process.cpuUsage();
  repeatsKey(`{"a":"${'\\\\'.repeat(30_000)}","b":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`);
  // Of CPU, because a busy machine takes any time. Quadratic time would be several seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
