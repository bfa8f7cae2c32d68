import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { type Service, startService } from '../support/service.js';

const SECRET = 'the secret of the tests, 32 bytes and more';
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
  it.each(['/', '/dashboard/', '/dashboard/live/devices', '/dashboard/login?next=%2F', '/phone/'])(
    '%s runs no inline script, loads nothing from other hosts, and cannot be framed',
    async (path) => {
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
      expect(reply.text).not.toMatch(/<script>|<style|\son[a-z]+=|\sstyle=|(src|href)="https?:/);
    },
  );

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

  it.each(['/dashboard', '/phone'])('redirect %s to the path with a trailing slash', async (path) => {
    const reply = await get(`${path}?a=b`);
    expect([reply.status, reply.headers.location]).toEqual([308, `${path}/?a=b`]);
  });

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
    await get('/dashboard/live/users');
    const lines = service.logged.map((line) => JSON.parse(line));
    expect(lines.some(({ endpoint, status }) => endpoint === '(page)' && status === 200)).toBe(true);
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
    expect((await bare.http.inject('/api/health')).statusCode).toBe(200);
  });
});
