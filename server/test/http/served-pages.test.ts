import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { type Service, startService } from '../support/service.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
/** What a browser accepts when it opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
let service: Service;
let assets: string[];

beforeAll(async () => {
  service = await startService();
  assets = readdirSync(`${service.app.deps.pagesFolder}/assets`);
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => service.call('GET', path, { headers });
/** The response as bytes, which may be compressed. */
const bytes = async (path: string, encoding: string) =>
  service.app.http.inject({ url: path, headers: { 'accept-encoding': encoding } });
const script = () => `/assets/${assets.find((name) => name.endsWith('.js.br'))?.slice(0, -'.br'.length)}`;

describe('the pages', () => {
  it.each([
    '/',
    '/dashboard/',
    '/dashboard/live/sign-in/devices',
    '/dashboard/login?next=%2F',
    '/dashboard/join',
    '/dashboard/here',
    '/phone/',
    '/sign-in/a',
    '/inspection',
  ])('%s runs no inline script, loads nothing from other hosts, and cannot be framed', async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-cache');
    const policy = String(reply.headers['content-security-policy']).split(';');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toMatch(/unsafe-inline|unsafe-eval'?\s*data|\*|https?:/);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect(reply.headers['strict-transport-security']).toMatch(/^max-age=/);
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const withoutItself = reply.text.replace(/<link rel="canonical"[^>]+>/, '');
    expect(withoutItself).not.toMatch(/<script>|<style|\son[a-z]+=|\sstyle=|(src|href)="https?:/);
  });

  it('are cached for a year if their name contains a content hash, and are revalidated otherwise', async () => {
    const reply = await get(script());
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    const [kernel] = readdirSync(`${service.app.deps.pagesFolder}/phone/assets`);
    expect((await get(`/phone/assets/${kernel}`)).headers['cache-control']).toMatch(/immutable$/);
    // A worker obeys the security policy that it was sent with, so it has to receive a new one.
    const worker = readdirSync(`${service.app.deps.pagesFolder}/phone`).find((name) =>
      /worker.*js$/.test(name),
    );
    expect((await get(`/phone/${worker}`)).headers['cache-control']).toBe('no-cache');
    const favicon = await get('/favicon.svg');
    expect(favicon.headers['cache-control']).toBe('no-cache');
    const again = await get('/favicon.svg', { 'if-none-match': String(favicon.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.etag).toBe(favicon.headers.etag);
    const weak = await get('/favicon.svg', { 'if-none-match': `"other", W/${favicon.headers.etag}` });
    expect(weak.status).toBe(304);
  });

  it('get a different ETag for different content of the same size and time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
    const tagOf = async (text: string) => {
      writeFileSync(join(folder, 'index.html'), text);
      utimesSync(join(folder, 'index.html'), 1, 1);
      const app = await createApp({ ...service.app.deps, pagesFolder: folder, secret: SECRET });
      await app.http.ready();
      return String((await app.http.inject('/')).headers.etag);
    };
    expect(await tagOf('<p>one')).not.toBe(await tagOf('<p>two'));
    rmSync(folder, { recursive: true });
  });

  it('send forms only from the sign-in pages, and only to this host', async () => {
    const policyOf = async (path: string) => (await get(path)).headers['content-security-policy'];
    expect(await policyOf('/sign-in/a')).toContain(";form-action 'self';");
    for (const path of ['/', '/dashboard/', '/phone/', '/docs'])
      expect(await policyOf(path), path).toContain(";form-action 'none';");
  });

  it.each(['/dashboard', '/desk', '/phone', '/sign-in'])(
    'redirect %s to the path with a trailing slash',
    async (path) => {
      const reply = await get(`${path}?a=b`);
      expect([reply.status, reply.headers.location]).toEqual([308, `${path}/?a=b`]);
    },
  );

  it('are sent in the smallest encoding that the browser accepts', async () => {
    const plain = await bytes(script(), 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzip = await bytes(script(), 'gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gzip.headers.vary).toContain('accept-encoding');
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    const brotli = await bytes(script(), 'gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotli.rawPayload.length).toBeLessThan(gzip.rawPayload.length);
    expect((await bytes(script(), 'br;q=0, gzip')).headers['content-encoding']).toBe('gzip');
  });

  it.each([
    '/assets/../index.html',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..\\..\\package.json',
    '/dashboard/../../package.json',
    '/docs/%00',
    '/assets/',
    '/assets/none.js',
    '/dashboard/none.js',
  ])('never expose a file outside their folder: %s', async (path) => {
    const reply = await get(path);
    expect([400, 404]).toContain(reply.status);
    expect(reply.text).not.toContain('workspaces');
  });

  it('return 404 for a missing page, even to a conditional request', async () => {
    const missing = await get('/docs/no/such/page');
    expect(missing.status).toBe(404);
    expect(missing.headers.etag).toBeUndefined();
    const again = await get('/docs/no/such/page', {
      'if-none-match': '*',
      'if-modified-since': new Date(Date.now() + 60_000).toUTCString(),
    });
    expect(again.status).toBe(404);
    expect(again.text).toBe(missing.text);
  });

  it('are sent whole, ignoring Range and If-Match', async () => {
    const whole = await get('/favicon.svg');
    for (const headers of [{ range: 'bytes=0-1' }, { range: 'bytes=99999999-' }, { 'if-match': '"other"' }]) {
      const reply = await get('/favicon.svg', headers);
      expect(reply.status).toBe(200);
      expect(reply.text).toBe(whole.text);
    }
  });

  it('do not relax the content security policy of the API', async () => {
    const reply = await get('/api/health');
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(reply.headers['content-security-policy']).not.toContain('script-src');
  });

  it('are logged as (page), whatever their URL', async () => {
    await get('/dashboard/live/people');
    const lines = service.logged.map((line) => JSON.parse(line));
    expect(lines.some(({ endpoint, status }) => endpoint === '(page)' && status === 200)).toBe(true);
  });

  it.each([
    ['/no/such/page', BROWSER],
    ['/assets/none.js', BROWSER],
    ['/Dashboard', BROWSER],
    ['/no-such-page', 'text/html'],
  ])('show a page for the unknown address %s to a browser', async (path, accept) => {
    const reply = await get(path, { accept });
    expect(reply.status).toBe(404);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept, accept-encoding',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(reply.headers.etag).toBeUndefined();
    for (const href of ['/', '/docs', '/dashboard/']) expect(reply.text).toContain(`<a href="${href}">`);
    const head = await service.call('HEAD', path, { headers: { accept } });
    expect([head.status, head.text]).toEqual([404, '']);
    const smaller = await service.app.http.inject({
      url: path,
      headers: { accept, 'accept-encoding': 'gzip' },
    });
    expect(gunzipSync(smaller.rawPayload).toString()).toBe(reply.text);
  });

  it.each([
    ['GET', '/no/such/page', '*/*'],
    ['GET', '/no/such/page', 'application/json'],
    ['GET', '/no/such/page', 'application/json, text/html'],
    ['GET', '/no/such/page', 'text/html;q=0, */*'],
    ['GET', '/no/such/page', 'text/html;q=0.5, application/json;q=0.9'],
    ['POST', '/no/such/page', BROWSER],
    ['GET', '/v1/no-such-endpoint', BROWSER],
    ['GET', '/v1', BROWSER],
    ['GET', '/api/none?a=b', BROWSER],
    ['GET', '/auth/login', BROWSER],
    ['GET', '/openapi.json/none', BROWSER],
    ['GET', '/logos/none', BROWSER],
  ] as const)('leave the JSON error to %s %s with Accept: %s', async (method, path, accept) => {
    const reply = await service.call(method, path, { headers: { accept } });
    expect([reply.status, reply.body.error]).toEqual([404, 'not_found']);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('name BASE_URL in canonical addresses, cards, robots.txt, sitemap.xml and llms.txt, each page once [console/pages-and-search-engines]', {
    tags: ['ci'],
  }, async () => {
    const origin = 'https://id.example.com';
    const config = { ...service.app.deps.config, baseUrl: origin };
    const app = await createApp({ ...service.app.deps, config, secret: SECRET });
    const load = async (url: string) => {
      const reply = await app.http.inject(url);
      expect(reply.statusCode, url).toBe(200);
      expect(reply.body, url).not.toContain('{{');
      return reply;
    };
    for (const path of ['/', '/docs', '/docs/pairing', '/docs/reference/users']) {
      const { body, headers } = await load(path);
      expect(body).toContain(`<link rel="canonical" href="${origin}${path}"`);
      expect(body).toContain(`<meta property="og:url" content="${origin}${path}"`);
      expect(body).toContain(`<meta property="og:image" content="${origin}/card.png"`);
      const again = await app.http.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const robots = await load('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(robots.body).toContain(`Sitemap: ${origin}/sitemap.xml`);
    for (const path of ['/dashboard', '/desk', '/phone', '/sign-in', '/api', '/auth'])
      expect(robots.body).toContain(`Disallow: ${path}\n`);
    const sitemap = await load('/sitemap.xml');
    expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8');
    const listed = [...sitemap.body.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url]) => String(url));
    const built = readdirSync(`${service.app.deps.pagesFolder}/docs`, { recursive: true })
      .map((name) => `/docs/${String(name).replaceAll('\\', '/')}`)
      .filter((name) => /\.html$/.test(name) && !name.endsWith('/404.html'))
      .map((name) => `${origin}${name.replace(/(\/index)?\.html$/, '')}`);
    expect(listed.sort()).toEqual([`${origin}/`, ...built].sort());
    const index = await load('/llms.txt');
    const texts = [...index.body.matchAll(/^- \[.+?\]\((.+?)\): \S/gm)].map(([, url]) => String(url));
    expect(texts).toHaveLength(built.length);
    for (const url of texts) {
      const text = await load(url.slice(origin.length));
      expect(text.headers['content-type'], url).toBe('text/markdown; charset=utf-8');
      expect(text.headers['x-robots-tag']).toBe('noindex');
    }
    expect((await load('/llms-full.txt')).body).toContain(`<!-- ${origin}/docs/pairing -->`);
  });

  it('tell the dashboard where accounts ask for help, by default nowhere [console/bar-of-warnings]', async () => {
    const nowhere = '<meta name="support-url" content="" />';
    const { text } = await get('/dashboard/');
    expect(text).toContain(nowhere);
    const config = { ...service.app.deps.config, supportUrl: 'https://example.com/?a="b"&c=<d>' };
    const app = await createApp({ ...service.app.deps, config, secret: SECRET });
    const { body } = await app.http.inject({ url: '/dashboard/live/home' });
    const here = '<meta name="support-url" content="https://example.com/?a=&#34;b&#34;&#38;c=&#60;d&#62;" />';
    expect(body).toBe(text.replace(nowhere, here));
  });

  it('call this installation PRODUCT_NAME, and Identity by default [console/company-profile]', async () => {
    const product = { name: '</script>"Ann\'s" & $& {{base-url}}', logo: undefined };
    const config = { ...service.app.deps.config, product };
    const app = await createApp({ ...service.app.deps, config, secret: SECRET });
    const inHtml = '&#60;/script&#62;&#34;Ann&#39;s&#34; &#38; $&#38; {{base-url}}';
    const brands = (html: string, name: string) => html.split(name).length - 1;
    const load = async (url: string, headers = {}) => (await app.http.inject({ url, headers })).body;
    for (const [path, times] of [
      ['/', 4],
      ['/docs', 3],
      ['/docs/pairing', 3],
      ['/docs/no/such/page', 3],
      ['/dashboard/', 2],
      ['/dashboard/login', 2],
      ['/phone/', 2],
    ] as const) {
      const html = await load(path);
      expect(brands(html, inHtml), path).toBe(times);
      expect(html.replaceAll(inHtml, 'Identity'), path).toBe((await get(path)).text);
    }
    expect(await load('/no/such/page', { accept: BROWSER })).toContain(inHtml);
    expect(await load('/docs/pairing')).toContain(` · ${inHtml}</title>`);
    expect(JSON.parse(await load('/phone/manifest.webmanifest'))).toMatchObject({
      name: product.name,
      short_name: product.name,
    });
    expect((await load('/llms.txt')).split('\n', 1)).toEqual([`# ${product.name}`]);
    // An installed page must receive the new name, and its list of files is code.
    const worker = await load('/phone/sw.js');
    expect(worker).toContain(`const VERSION = "`);
    expect(worker).not.toBe((await get('/phone/sw.js')).text);
    const version = /^const VERSION = (.+);$/m.exec(worker)?.[1] ?? '';
    expect(JSON.parse(version)).toMatch(/^[0-9a-f]{16} <\/script>/);
    const [plain, renamed] = await Promise.all(
      [service.app, app].map(async ({ http }) => {
        const zipped = await http.inject({ url: '/dashboard/', headers: { 'accept-encoding': 'gzip' } });
        expect(gunzipSync(zipped.rawPayload).toString()).toBe((await http.inject('/dashboard/')).body);
        return zipped.headers.etag;
      }),
    );
    expect(renamed).not.toBe(plain);
  });

  it('name a contact for security in a file that expires within a year', async () => {
    const textOf = async (securityContact: string | undefined) => {
      const config = { ...service.app.deps.config, baseUrl: 'https://id.example.com', securityContact };
      const app = await createApp({ ...service.app.deps, config, secret: SECRET });
      const reply = await app.http.inject('/.well-known/security.txt');
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
      return Object.fromEntries(
        reply.body
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/).slice(0, 2)),
      );
    };
    const own = await textOf('mailto:security@example.com');
    expect(own.Contact).toBe('mailto:security@example.com');
    expect(own.Canonical).toBe('https://id.example.com/.well-known/security.txt');
    const days = (Date.parse(own.Expires) - service.clock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThan(365);
    const { Contact: page } = await textOf(undefined);
    expect(page).toBe('https://id.example.com/docs/security#reporting-a-vulnerability');
    expect((await get('/docs/security')).text).toContain('id="reporting-a-vulnerability"');
  });

  it.each(['/dashboard/', '/dashboard/login', '/phone/', '/sign-in/a'])(
    'keep %s out of search engines, and have the icons of every page',
    async (path) => {
      expect((await get(path)).headers['x-robots-tag']).toBe('noindex');
      expect((await get('/')).headers['x-robots-tag']).toBeUndefined();
      for (const icon of ['/favicon.ico', '/icon.png', '/card.png'])
        expect((await get(icon)).headers['content-type'], icon).toMatch(/^image\//);
    },
  );

  it('include the one of a sign-in, whose address has a dot [openid/address-of-a-sign-in-page]', async () => {
    const page = await get(`/sign-in/V1StGXR8_Z5jdHi6B-myT.${'A'.repeat(44)}`);
    expect([page.status, page.text]).toEqual([200, (await get('/sign-in/a')).text]);
    expect((await get('/sign-in/a.js')).status).toBe(404);
  });

  it('may be missing: the API still works', async () => {
    const { deps } = service.app;
    const bare = await createApp({
      ...deps,
      pagesFolder: '/nowhere',
      secret: SECRET,
    });
    await bare.http.ready();
    expect((await bare.http.inject('/dashboard/')).statusCode).toBe(404);
    const missing = await bare.http.inject({ url: '/none', headers: { accept: BROWSER } });
    expect(missing.json()).toMatchObject({ error: 'not_found' });
    expect((await bare.http.inject('/api/health')).statusCode).toBe(200);
  });
});
