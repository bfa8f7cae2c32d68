import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/audit'));
vi.resetModules();
const { readFilter } = await import('./filters');
afterAll(() => void vi.unstubAllGlobals());

const read = (query: string) => readFilter(new URLSearchParams(query));

test('reads the audit filter from the address', () => {
  expect(read('action=api_key.revoked&status=failure')).toEqual({
    action: 'api_key.revoked',
    status: 'failure',
  });
  expect(read('status=success')).toEqual({ status: 'success' });
  expect(read('')).toEqual({});
});

test.each(['revoked', 'API.KEY', 'a.b;c', '.a', `a.${'b'.repeat(63)}`])(
  'ignores an action that the service would reject: %s',
  (action) => expect(read(`action=${action}&status=other`)).toEqual({}),
);
