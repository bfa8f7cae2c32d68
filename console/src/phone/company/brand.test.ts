import { afterAll, beforeEach, expect, test, vi } from 'vitest';

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { colorOf, loadBrand } = await import('./brand');

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
  const brand = await loadBrand({ accent_color: '#AABBCC', logo_url: '/logos/a/b' });
  expect(brand).toEqual({
    accentColor: '#aabbcc',
    logo: { type: 'image/png', bytes: Uint8Array.of(1, 2).buffer },
  });
  expect(loaded).toEqual(['https://svc.example/logos/a/b']);
});

test('loads no logo from another host', async () => {
  const brand = await loadBrand({ accent_color: '#112233', logo_url: '//evil.example/logo.png' });
  expect([brand, loaded]).toEqual([{ accentColor: '#112233' }, []]);
});

test.each([
  ['another type', () => serve('<svg/>', { 'content-type': 'image/svg+xml' })],
  ['too many bytes', () => serve(new Uint8Array(65 * 1024))],
  ['no response', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))],
])('registers without a logo with %s', async (_, prepare) => {
  prepare();
  expect(await loadBrand({ accent_color: '#112233', logo_url: '/logo' })).toEqual({ accentColor: '#112233' });
});

test('ignores a color that is none', async () => {
  expect(await loadBrand({ accent_color: 'red;}', logo_url: null })).toBeUndefined();
  expect(await loadBrand({})).toBeUndefined();
});

test('gives an account without a brand always the same color', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  expect(colorOf(id, undefined)).toBe(colorOf(id, undefined));
  expect(colorOf(id, { accentColor: '#123456' })).toBe('#123456');
});
