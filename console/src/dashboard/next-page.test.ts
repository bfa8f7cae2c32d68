import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/login'));
vi.resetModules();
const { nextPage } = await import('./session');
vi.unstubAllGlobals();

test.each(['/\t/evil.example', '/\n/evil.example', '/\r\\evil.example'])(
  'a login never leads off this site by an address with a control character: %j',
  (page) => {
    expect(new URL(page, 'https://svc.example').host).toBe('evil.example');
    expect(nextPage(`?next=${encodeURIComponent(page)}`)).toBe('/');
  },
);

test('a login leads back to a page with a query', () => {
  expect(nextPage(`?next=${encodeURIComponent('/live/users?status=active')}`)).toBe(
    '/live/users?status=active',
  );
});
