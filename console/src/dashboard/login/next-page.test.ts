import { expect, test } from 'vitest';
import { nextPage } from './next-page';

const next = (page: string) => nextPage(`?next=${encodeURIComponent(page)}`);

test('redirects a login to the requested page, or to the first page', () => {
  expect(next('/keys?environment=test')).toBe('/keys?environment=test');
  expect(next('/live/people?status=active')).toBe('/live/people?status=active');
  expect(nextPage('')).toBe('/');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  '/\r\\evil.example',
  'javascript:alert(1)',
  'evil.example',
  '',
])('never redirects a login to another site: %j', (page) => {
  expect(next(page)).toBe('/');
});

test.each(['/../sign-in/a', '/..\\phone', '/live/../../phone', '/%2e%2e/phone', '/..'])(
  'never redirects a login out of the dashboard: %j',
  (page) => {
    expect(next(page)).toBe('/');
  },
);
