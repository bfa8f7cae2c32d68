import { afterAll, beforeEach, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { loadBrand } = await import('./brand');

const loaded: string[] = [];
const serve = (body: BodyInit, headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  vi.stubGlobal('fetch', async (url: URL) => {
    loaded.push(url.href);
    return new Response(body, { headers });
  });
beforeEach(() => {
  loaded.length = 0;
  serve(Uint8Array.of(1, 2));
});
afterAll(() => void vi.unstubAllGlobals());

test('keeps the color and the bytes of the logo', async () => {
  const brand = await loadBrand({ accentColor: '#AABBCC', logoUrl: '/logos/a/b' });
  expect(brand).toEqual({
    accentColor: '#aabbcc',
    logo: { type: 'image/png', bytes: Uint8Array.of(1, 2).buffer },
  });
  expect(loaded).toEqual(['https://svc.example/logos/a/b']);
});

test('loads no logo from another host', async () => {
  const brand = await loadBrand({ accentColor: '#112233', logoUrl: '//evil.example/logo.png' });
  expect([brand, loaded]).toEqual([{ accentColor: '#112233' }, []]);
});

test.each([
  ['another type', () => serve('<svg/>', { 'content-type': 'image/svg+xml' })],
  ['too many bytes', () => serve(new Uint8Array(65 * 1024))],
  ['no response', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))],
])('registers without a logo with %s', async (_, prepare) => {
  prepare();
  expect(await loadBrand({ accentColor: '#112233', logoUrl: '/logo' })).toEqual({ accentColor: '#112233' });
});

test('ignores a color that is none', async () => {
  expect(await loadBrand({ accentColor: 'red;}', logoUrl: null })).toBeUndefined();
  expect(await loadBrand({})).toBeUndefined();
});
