import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Pairing, type PairingCreateParams, Svc } from '@svc/sdk';
import type { Page } from 'playwright-core';
import type { PagesService } from './service.js';

/** A company's website whose backend signs people in with a pairing. The browser gets only a cookie of its own. */
export interface SignInSite {
  readonly origin: string;
  /** What the next sign-in asks for. Default: nothing, as in the contract's first version. */
  asks: PairingCreateParams;
  close(): Promise<void>;
}

/** What a browser's page of the site has after a sign-in, if anything. */
export interface Held {
  readonly state: string;
  readonly userId?: string;
  readonly accessToken?: string;
}

export async function openSite(service: PagesService, apiKey: string): Promise<SignInSite> {
  const svc = new Svc({ baseUrl: service.origin, apiKey });
  const visitors = new Map<string, Pairing>();
  const routes: Record<string, (visitor: string, body: string) => Promise<object>> = {
    async '/begin'(visitor) {
      visitors.delete(visitor);
      const pairing = await svc.pairing.create({ match: 'off', ...site.asks });
      visitors.set(visitor, pairing);
      return { code: pairing.qrPayload, number: pairing.matchCode };
    },
    async '/state'(visitor) {
      const { session, tokens } = await svc.pairing.get(pairingOf(visitor));
      return { code: session.qrPayload, held: heldOf(session, tokens) };
    },
    async '/redeem'(visitor, body) {
      const { session, tokens } = await svc.pairing.redeem(pairingOf(visitor), body);
      return { held: heldOf(session, tokens) };
    },
  };
  const pairingOf = (visitor: string): Pairing => {
    const pairing = visitors.get(visitor);
    if (pairing === undefined) throw new Error('This browser began no sign-in.');
    return pairing;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const visitor = /visitor=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
    response.setHeader('set-cookie', `visitor=${visitor}; HttpOnly; SameSite=Lax; Path=/`);
    const route = routes[pathname];
    if (route === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    const reply = await route(visitor, await textOf(request)).catch((error: Error) => ({
      error: error.message,
    }));
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: SignInSite = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    asks: {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return site;
}

const heldOf = (
  session: { readonly state: string; readonly userId?: string | undefined },
  tokens: { readonly accessToken: string } | null,
): Held => ({
  state: session.state,
  ...(tokens && session.userId && { userId: session.userId, accessToken: tokens.accessToken }),
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** Shows the code and the number. `/back` exchanges the code in its address. */
const PAGE = `<!doctype html><title>Portal</title><h1>Portal</h1>
<p id="code"></p><p id="number"></p><p id="held"></p>
<a id="phone" href="">Approve on this phone</a>
<script>
  const show = (name, text) => { document.getElementById(name).textContent = text ?? ''; };
  const call = async (path, body) => (await fetch(path, { method: 'POST', body })).json();
  const shown = ({ code, number, held, error }) => {
    if (code) { show('code', code); document.getElementById('phone').href = PHONE + '#' + code; }
    if (number) show('number', number);
    if (held || error) show('held', JSON.stringify(held ?? { state: error }));
  };
  const PHONE = new URLSearchParams(location.search).get('phone') + '/phone/';
  window.begin = async () => shown(await call('/begin'));
  window.refresh = async () => shown(await call('/state'));
  if (location.pathname === '/back') {
    const code = location.hash.slice(1);
    history.replaceState(null, '', '/back');
    call('/redeem', code).then(shown);
  }
</script>`;

/** A browser at the site's sign-in page. */
export class Visitor {
  readonly page: Page;
  readonly site: SignInSite;

  constructor(page: Page, site: SignInSite) {
    this.page = page;
    this.site = site;
  }

  /** Begins a sign-in. Links of the page open this service's phone page. */
  async begin(service: PagesService): Promise<void> {
    await this.page.goto(`${this.site.origin}/?phone=${encodeURIComponent(service.origin)}`);
    await this.page.evaluate('begin()');
  }

  /** The code as it is on the screen now. */
  async code(): Promise<string> {
    await this.page.evaluate('refresh()');
    return this.#text('code');
  }

  number = (): Promise<string> => this.#text('number');

  /** What the page has now. */
  async held(): Promise<Held> {
    await this.page.evaluate('refresh()');
    return JSON.parse(await this.#text('held'));
  }

  /** What the page shows after the browser has come back. */
  async heldAfterReturn(): Promise<Held> {
    await this.page.waitForFunction(`document.getElementById('held')?.textContent`);
    return JSON.parse(await this.#text('held'));
  }

  #text = async (id: string): Promise<string> => (await this.page.locator(`#${id}`).textContent()) ?? '';
}
