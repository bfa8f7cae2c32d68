import { expect, test } from 'vitest';
import { hostOf } from './host';

test('shows the host and port of an origin', () => {
  expect(hostOf('https://app.example.com:8443')).toBe('app.example.com:8443');
});
