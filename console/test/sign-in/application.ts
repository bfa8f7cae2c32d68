import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { Page } from 'playwright-core';
import { createClient } from '../../../server/test/support/oidc/oidc.js';
import type { Account } from '../../../server/test/support/service.js';
import type { PagesService } from '../support/service.js';

/** What a browser's page of an application shows after it came back. */
interface Result {
  /** Of the ID token. */
  readonly sub?: string;
  readonly acr?: string;
  readonly name?: string;
  readonly error?: string;
  readonly description?: string;
}

/** A company's web application that signs people in with OpenID Connect. Its address is another site than the service's. */
export interface Application {
  readonly origin: string;
  readonly host: string;
  readonly config: client.Configuration;
  /** What a browser has to open to sign in. `extra` are parameters of the request. */
  start(page: Page, extra?: Record<string, string>): Promise<unknown>;
  /** What the page shows when the browser has come back. */
  result(page: Page): Promise<Result>;
  /** Opens the page of the service that asks whether to sign out. Default: without a way back. */
  signOut(page: Page, extra?: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

interface Started {
  readonly pkceCodeVerifier: string;
  readonly expectedNonce: string;
}

export const issuerOf = ({ origin }: PagesService, { tenantId }: Account) =>
  `${origin}/oidc/${tenantId}/live`;

export async function openApplication(
  service: PagesService,
  account: Account,
  body: object = {},
): Promise<Application> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const redirectUri = `${origin}/callback`;
  const { clientId, clientSecret } = await createClient(
    { service, account },
    { redirectUris: [redirectUri], postLogoutRedirectUris: [`${origin}/bye`], ...body },
  );
  const config = await client.discovery(
    new URL(issuerOf(service, account)),
    clientId,
    { client_secret: clientSecret as string },
    client.ClientSecretBasic(clientSecret as string),
    { execute: [client.allowInsecureRequests] },
  );
  const started = new Map<string, Started>();

  async function begin(extra: Record<string, string>): Promise<string> {
    const [pkceCodeVerifier, state, expectedNonce] = [
      client.randomPKCECodeVerifier(),
      client.randomState(),
      client.randomNonce(),
    ];
    started.set(state, { pkceCodeVerifier, expectedNonce });
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce: expectedNonce,
      ...extra,
    }).href;
  }

  async function finish(back: URL | Request, state: string): Promise<Result> {
    try {
      const checks = { ...(started.get(state) as Started), expectedState: state, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(config, back, checks);
      const { sub, acr } = tokens.claims() as client.IDToken;
      const { name } = await client.fetchUserInfo(config, tokens.access_token, sub);
      return { sub, acr: String(acr), name: String(name) };
    } catch (error) {
      if (!(error instanceof client.AuthorizationResponseError)) return { error: String(error) };
      return { error: error.error, description: String(error.error_description) };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const text = await textOf(request);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (url.pathname !== '/callback') return void response.end(PAGE(url.pathname));
    const isPost = request.method === 'POST';
    const parameters = isPost ? new URLSearchParams(text) : url.searchParams;
    const back = isPost
      ? new Request(url, {
          method: 'POST',
          body: text,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      : url;
    const result = await finish(back, parameters.get('state') ?? '');
    response.end(PAGE(url.pathname, result));
  }

  return {
    origin,
    host,
    config,
    start: async (page, extra = {}) => page.goto(await begin(extra)),
    async result(page) {
      await page.waitForURL(`${origin}/callback**`);
      return JSON.parse((await page.locator('output').textContent()) ?? '');
    },
    signOut: (page, extra = {}) => page.goto(client.buildEndSessionUrl(config, extra).href),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const PAGE = (path: string, result: Result = {}) =>
  `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,"><h1>${path}</h1>
<output>${JSON.stringify(result).replaceAll('<', '\\u003c')}</output></html>`;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
