import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

interface Cookie {
  readonly value: string;
  readonly path: string;
}

export interface Page {
  readonly status: number;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** The least of a browser: cookies by path, and redirects that stay on one origin. Pages are tried in a real one. */
export interface Browser {
  /** Follows redirects until one leaves the origin, and stops there. */
  open(url: string): Promise<Page>;
  send(method: string, url: string, body?: object | URLSearchParams): Promise<Page>;
  /** As `JSON.parse` of a successful answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller reads what it expects
  json(method: string, url: string, body?: object): Promise<any>;
  readonly cookies: Map<string, Cookie>;
}

export function createBrowser(origin: string): Browser {
  const cookies = new Map<string, Cookie>();

  const cookieFor = (path: string) =>
    [...cookies]
      .filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
      .map(([key, { value }]) => `${key.split('|')[0]}=${value}`)
      .join('; ');

  function store(header: string): void {
    const [pair = '', ...attributes] = header.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((at) => /^path=/i.test(at))?.slice(5) ?? '/';
    const key = `${name}|${path}`;
    const expires = attributes.find((at) => /^expires=/i.test(at))?.slice(8);
    if (value === '' || (expires !== undefined && Date.parse(expires) < Date.now())) cookies.delete(key);
    else cookies.set(key, { value, path });
  }

  async function send(method: string, url: string, body?: object | URLSearchParams): Promise<Page> {
    const target = new URL(url, origin);
    const isForm = body instanceof URLSearchParams;
    const payload = isForm ? body.toString() : body && JSON.stringify(body);
    // Not by `fetch`, which says that it is no navigation.
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(target, {
        method,
        headers: {
          origin,
          cookie: cookieFor(target.pathname),
          accept: 'text/html',
          ...(body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
          ...(payload && { 'content-length': Buffer.byteLength(payload) }),
        },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(payload);
    });
    for (const header of reply.headers['set-cookie'] ?? []) store(header);
    const { location } = reply.headers;
    return {
      status: reply.statusCode as number,
      url: target.href,
      headers: reply.headers,
      text: await text(reply),
      location: location === undefined ? undefined : new URL(location, target).href,
    };
  }

  return {
    cookies,
    send,
    async open(url) {
      let page = await send('GET', url);
      for (let steps = 0; page.location !== undefined && steps < 10; steps += 1) {
        if (new URL(page.location).origin !== origin) return page;
        page = await send('GET', page.location);
      }
      return page;
    },
    async json(method, url, body) {
      const page = await send(method, url, method === 'GET' ? undefined : (body ?? {}));
      expect(page.status, page.text).toBeLessThan(300);
      return JSON.parse(page.text);
    },
  };
}
