import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A company's page that signs people in with the SDK in a popup. It is served from another origin than the service. */
export interface PopupSite {
  readonly origin: string;
  readonly redirectUri: string;
  /** The client of the application, which the page gets with its next load. */
  settings: object;
  close(): Promise<void>;
}

const page = (script: string, settings: object) => `<!doctype html><html lang="en"><title>Application</title>
<link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "@svc/sdk": "/sdk/dist/sdk.js", "@svc/zk/": "/zk/dist/" } }</script>
<button>Sign in</button><output></output>
<script type="module">
import { finishSignInHosted, signInHosted } from '@svc/sdk';
const settings = ${JSON.stringify(settings).replaceAll('<', '\\u003c')};
${script}
</script></html>`;

const OPENER = `
const output = document.querySelector('output');
document.querySelector('button').onclick = () =>
  signInHosted(settings).then(
    ({ claims, tokens }) => { output.textContent = JSON.stringify({ claims, tokens: Object.keys(tokens) }); },
    ({ code, message }) => { output.textContent = JSON.stringify({ code, message }); },
  );`;
const RETURN = 'finishSignInHosted();';

export async function openPopupSite(): Promise<PopupSite> {
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (!/^\/(sdk|zk)\/dist\/[\w./-]+$/.test(pathname) || pathname.includes('..')) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(page(pathname === '/signed-in' ? RETURN : OPENER, site.settings));
    }
    const file = pathname.endsWith('.js') ? pathname : `${pathname}.js`;
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    return response.end(await readFile(join(root, file)));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: PopupSite = {
    origin,
    redirectUri: `${origin}/signed-in`,
    settings: {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return site;
}
