import * as client from 'openid-client';
import type { RawDatabase } from '../../../src/db/db.js';
import type { Lifetimes } from '../../../src/features/openid-provider/provider/surface.js';
import { DEFAULT_SCOPES } from '../../../src/model/scopes.js';
import { phone, proveForPairing, scanOf } from '../pairing.js';
import { type Person, registerPerson } from '../phone.js';
import { freePort } from '../process.js';
import { type Account, manualClock, type Service, startService } from '../service.js';
import { type Browser, createBrowser, type Page } from './browser.js';

/** Where applications of the tests are sent back to. Nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';

export interface OidcService {
  readonly service: Service;
  readonly baseUrl: string;
  readonly account: Account;
  readonly issuer: string;
  browser(): Browser;
  /** A new person with a user and a phone. */
  person(): Promise<Person & { readonly externalId: string }>;
  close(): Promise<void>;
}

/** A service on a real address, because that address is part of the protocol. The provider has the system's clock. */
export async function startOidc(
  options: { env?: Record<string, string>; lifetimes?: Lifetimes; db?: RawDatabase } = {},
): Promise<OidcService> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const service = await startService({
    clock: manualClock(Date.now()),
    env: { BASE_URL: baseUrl, ...options.env },
    ...(options.db && { db: options.db }),
    ...(options.lifetimes && { oidcLifetimes: options.lifetimes }),
  });
  await service.app.http.listen({ port, host: '127.0.0.1' });
  let people = 0;
  const made = await service.signUp({ plan: 'enterprise', companyName: 'Northwind Traders' });
  // People of the tests have what applications read.
  const key = await service.createKey(made, 'live', [...DEFAULT_SCOPES, 'users:claims']);
  const account = { ...made, key };
  return {
    service,
    baseUrl,
    account,
    issuer: `${baseUrl}/oidc/${account.tenantId}/live`,
    browser: () => createBrowser(baseUrl),
    async person() {
      people += 1;
      const externalId = `employee-${people}`;
      const profile = { fullName: 'Ada Lovelace', email: 'ada@example.com', externalId };
      const reply = await service.call('POST', '/v1/users', { as: account.key, body: profile });
      if (reply.status !== 201) throw new Error(`creating a user returned ${reply.status} ${reply.text}`);
      return { ...(await registerPerson(service, account.key, { externalId })), externalId };
    },
    close: () => service.close(),
  };
}

export interface NewClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** Creates a client in the console. Default: a web application with a secret and public subjects. */
export async function createClient(
  { service, account }: Pick<OidcService, 'service' | 'account'>,
  body: object = {},
): Promise<NewClient> {
  const reply = await service.call('POST', '/api/console/oidc/clients', {
    as: account.token,
    body: {
      name: 'Time tracking',
      type: 'web',
      redirectUris: [CALLBACK],
      tokenEndpointAuth: 'client_secret_basic',
      subjectType: 'public',
      claims: ['profile', 'email'],
      ...body,
    },
  });
  if (reply.status !== 201) throw new Error(`creating a client returned ${reply.status} ${reply.text}`);
  return { clientId: reply.body.client.clientId, clientSecret: reply.body.clientSecret };
}

/** An application that trusts the issuer. */
export const discover = (
  { issuer }: Pick<OidcService, 'issuer'>,
  { clientId, clientSecret }: NewClient,
  metadata: Partial<client.ClientMetadata> = {},
  auth?: client.ClientAuth,
): Promise<client.Configuration> =>
  client.discovery(
    new URL(issuer),
    clientId,
    { ...(clientSecret && { client_secret: clientSecret }), ...metadata },
    auth ?? (clientSecret ? client.ClientSecretBasic(clientSecret) : client.None()),
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );

/** An authorization request, with what its answer is checked against. */
export async function authorization(config: client.Configuration, extra: Record<string, string> = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...extra,
  });
  return { url: url.href, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
}

/** The part of a sign-in page's address that names the sign-in. */
export function uidOf({ url, location }: Page): string {
  const uid = /\/sign-in\/([\w.-]+)/.exec(location ?? url)?.[1];
  if (uid === undefined) throw new Error(`${location ?? url} is no sign-in page`);
  return uid;
}

/** Opens a code on the sign-in page and approves it with the phone. Returns where the browser goes on. */
export async function approve(
  { service, account }: Pick<OidcService, 'service' | 'account'>,
  browser: Browser,
  uid: string,
  person: Person,
): Promise<string> {
  const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
  const reply = await approveOnPhone({ service, account }, person, session);
  if (reply.status !== 200) throw new Error(`approving returned ${reply.status} ${reply.text}`);
  const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/complete`, { sessionId: session.id });
  return redirectTo;
}

/** What the phone sends for a scanned code and the number on the screen. */
export async function approveOnPhone(
  { service, account }: Pick<OidcService, 'service' | 'account'>,
  person: Person,
  session: { id: string; qrPayload: string; matchCode: string },
) {
  const body = await proveForPairing(person, {
    tenantId: account.tenantId,
    sessionId: session.id,
    nonce: session.qrPayload.split(':')[4] as string,
    matchCode: session.matchCode,
  });
  return phone(service, session.id, 'submit', { ...body, ...scanOf(session) });
}

/** A whole sign-in. Returns the address that the application is called back at. */
export async function signIn(oidc: OidcService, browser: Browser, url: string, person: Person): Promise<URL> {
  const page = await browser.open(url);
  const uid = uidOf(page);
  const back = await browser.open(await approve(oidc, browser, uid, person));
  if (back.location === undefined)
    throw new Error(`the sign-in ended with ${back.status} ${back.text.slice(0, 400)}`);
  return new URL(back.location);
}
