import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, Failure } from '../../src/base/errors.js';
import { errorGuide } from '../../src/features/docs/error-guide.js';
import { GRANT_TTL_SECONDS } from '../../src/features/openid-provider/provider/grants.js';
import { LIFETIMES } from '../../src/features/openid-provider/provider/surface.js';
import { placesOf } from '../../src/features/openid-provider/sign-in/stream-places.js';
import { errorsOf } from '../../src/http/openapi/route-errors.js';
import type { Route } from '../../src/http/route.js';
import { AUDIT_ACTIONS } from '../../src/model/audit-actions.js';
import { ERRORS, type ErrorCode } from '../../src/model/errors.js';
import { PLAN_LIMITS } from '../../src/model/plans.js';
import { type Service, startService } from '../support/service.js';

const codes = Object.keys(ERRORS) as ErrorCode[];
const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = join(root, 'console/dist');
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
let service: Service;
let page: string;

beforeAll(async () => {
  service = await startService();
  page = (await service.call('GET', '/docs/errors')).text;
});
afterAll(() => service.close());

/** The section of a built page with the given anchor, up to the next heading. */
const sectionOf = (html: string, id: string) =>
  new RegExp(`<h3 id="${id}">(.*?)(?=<h[23] |</article>)`, 's').exec(html)?.[1] ?? '';
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe('the error catalogue', () => {
  it.each(codes)(
    'is linked from `docs` of %s, and lists its status, meaning, next step and endpoints [http/errors]',
    async (code) => {
      const [path, anchor] = envelope(new Failure(code), 'a request').docs.split('#') as [string, string];
      const reply = await service.call('GET', path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      const section = sectionOf(reply.text, anchor);
      const text = plain(section);
      expect(text).toContain(`${ERRORS[code].status}: ${ERRORS[code].message}`);
      const { cause, next } = ERRORS[code];
      for (const sentence of [cause, next]) {
        expect(sentence).toMatch(/[.]$/);
        expect(text).toContain(sentence.replaceAll('`', ''));
      }
      const returning = service.app.routes.filter((route) => errorsOf(route).includes(code));
      const listed = [...section.matchAll(/<code>([A-Z]+ \/[^<]*)<\/code>/g)].map(([, name]) => name);
      if (returning.length === service.app.routes.length) expect(text).toContain('every endpoint');
      else expect(listed).toEqual(returning.map(nameOf));
    },
  );

  it('is generated from the current routes', () => {
    const generated = errorGuide(service.app.routes);
    expect([...generated.matchAll(/^### (\w+)$/gm)].map(([, code]) => code).sort()).toEqual(codes.toSorted());
    expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toContain(generated);
  });

  it('has unique anchors, no broken link and no inline script', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(codes.filter((code) => !links.includes(code))).toEqual([]);
    expect(page).not.toMatch(/<script>|style="|\son[a-z]+="/);
  });
});

describe('the built documentation', () => {
  const files = readdirSync(join(dist, 'docs'), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.html'));
  const addressOf = (file: string) => `/${file.replace(/(\/index)?\.html$/, '')}`;
  const htmlOf = new Map(
    files.map((file) => [
      addressOf(file),
      readFileSync(join(dist, file), 'utf8').replaceAll('{{base-url}}', 'https://elsewhere'),
    ]),
  );

  it('has no broken link and no duplicate anchor', async () => {
    const broken: string[] = [];
    const others = new Set<string>();
    for (const [address, html] of htmlOf) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      if (new Set(ids).size !== ids.length) broken.push(`${address} has an anchor twice`);
      for (const [, href] of html.matchAll(/ href="([^"]+)"/g)) {
        const url = new URL(href as string, `http://here${address}`);
        if (url.origin !== 'http://here') continue;
        const target = htmlOf.get(url.pathname);
        if (target === undefined) others.add(url.pathname);
        else if (url.hash && !target.includes(` id="${url.hash.slice(1)}"`))
          broken.push(`${address} → ${href}`);
      }
    }
    for (const path of others) {
      const { status } = await service.call('GET', path);
      if (status !== 200) broken.push(`${path} returns ${status}`);
    }
    expect(broken).toEqual([]);
  });

  it('has a description of each page', () => {
    const undescribed = [...htmlOf].filter(
      ([, html]) => !/<meta name="description" content="[^"]{10,}/.test(html),
    );
    expect(undescribed.map(([address]) => address)).toEqual([]);
  });

  it('describes every operation with its scope, at an anchor derived from its path', () => {
    const index = plain(htmlOf.get('/docs/reference') as string);
    const all = [...htmlOf]
      .filter(([address]) => address.startsWith('/docs/reference/'))
      .map(([, html]) => html);
    for (const route of service.app.routes) {
      const name = nameOf(route).replaceAll(/:(\w+)/g, '{$1}');
      const anchor = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/-$/g, '');
      const [section] = all.flatMap((html) =>
        html.split('<h2 ').filter((part) => part.startsWith(`id="${anchor}">`)),
      );
      expect(index).toContain(name);
      expect(section, name).toBeDefined();
      expect(plain(`<h2 ${section}`), name).toContain(name);
      if (route.auth.kind === 'key') expect(section, name).toContain(route.auth.scope);
    }
  });

  it('returns 404 and a page with a link to the quickstart for an unknown page', async () => {
    const reply = await service.call('GET', '/docs/no-such-page');
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('Page not found');
    expect(reply.text).toContain('href="/docs/quickstart"');
  });

  it('lists the current limits of each plan', () => {
    const text = readFileSync(join(root, 'docs/limits.md'), 'utf8');
    for (const [plan, limits] of Object.entries(PLAN_LIMITS)) {
      const { requestsPer15Min, monthlyRequests, openStreams, webhooks } = limits;
      const cells = [requestsPer15Min, monthlyRequests, openStreams, webhooks].map(
        (n) => n?.toLocaleString('en') ?? 'no limit',
      );
      expect(text).toContain(`| \`${plan}\` | ${cells.join(' | ')} |`);
    }
  });

  it('lists the limits of every endpoint of the OpenID Provider and its sign-in pages', () => {
    const [, section = ''] =
      /^## The OpenID Provider$(.*?)^## /ms.exec(readFileSync(join(root, 'docs/limits.md'), 'utf8')) ?? [];
    const [, oidc = '', signIn = ''] = section.split(/^\| Below/m);
    const listed = (table: string, prefix: string) =>
      [...table.matchAll(/^\| (`.*`) \| ([\d,]+) \|$/gm)].flatMap(([, endpoints = '', max = '']) =>
        [...endpoints.matchAll(/`(\w+) (\S+)`/g)].map(([, method, path]) => [
          `${method} ${prefix}${path}`,
          Number(max.replace(',', '')),
          endpoints,
        ]),
      );
    const endpoints = [...listed(oidc, '/oidc/:tenantId/:environment'), ...listed(signIn, '/sign-in')];
    const limited = service.app.routes.filter(({ path }) => /^\/(oidc|sign-in)\//.test(path));
    expect(limited.map(({ limit }) => limit?.windowSeconds)).toEqual(limited.map(() => 60));
    expect(endpoints.map(([name, max]) => `${name} ${max}`).toSorted()).toEqual(
      limited.map((route) => `${nameOf(route)} ${route.limit?.max}`).toSorted(),
    );
    // What shares a limit is in one line below /sign-in, and nothing else shares one.
    const lines = limited.map((route) => {
      const line = endpoints.find(([name]) => name === nameOf(route))?.[2];
      return route.path.startsWith('/sign-in/') ? line : nameOf(route);
    });
    expect(new Set(limited.map(({ limit }, at) => `${limit?.name} ${lines[at]}`)).size).toBe(
      new Set(limited.map(({ limit }) => limit?.name)).size,
    );
    const minutes = (seconds: number) => `${seconds / 60} minutes`;
    for (const row of [
      `| sign-in, from \`/auth\` until it is approved | ${minutes(LIFETIMES.interaction)} |`,
      `| code | ${LIFETIMES.code} seconds, single use |`,
      `| code of a device | ${minutes(LIFETIMES.deviceCode)} |`,
      `| access token, ID token | ${minutes(LIFETIMES.accessToken)} |`,
      `| refresh token | ${GRANT_TTL_SECONDS / 86_400} days after the approval, single use |`,
      `| browser that is signed in | ${LIFETIMES.session / 3_600} hours |`,
    ])
      expect(section).toContain(row);
    expect(LIFETIMES.idToken).toBe(LIFETIMES.accessToken);
  });

  it('lists the streams that sign-in pages may open', () => {
    const text = readFileSync(join(root, 'docs/limits.md'), 'utf8');
    const of = ['of one sign-in', 'of one IP address', 'of an IPv6 /48', 'of all sign-in pages'];
    const places = placesOf('uid', '2001:db8::/64').map(([, max]) => max.toLocaleString('en'));
    for (const [at, name] of of.entries()) expect(text).toContain(`| open streams ${name} | ${places[at]} |`);
  });

  it('lists every audit action once', () => {
    const text = readFileSync(join(root, 'docs/audit.md'), 'utf8');
    const [, section = ''] = /^## Actions\n.*?(^\|.*?)\n\n/ms.exec(text) ?? [];
    const listed = [...section.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action]) => action);
    expect(listed.toSorted()).toEqual(Object.keys(AUDIT_ACTIONS).toSorted());
  });
});
