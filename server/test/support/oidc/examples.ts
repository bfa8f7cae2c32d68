import { hash } from 'node:crypto';
import { enrolPasskey } from '../attestation.js';
import type { Prepared, Stage } from '../contract/prepared.js';
import { setPolicy } from '../pairing.js';
import { registerPerson } from '../phone.js';
import { freshAddress, type Reply } from '../service.js';
import { createKey } from './browser-key.js';
import { approveOnPhone, CALLBACK, createClient, type NewClient } from './oidc.js';

type Example = (stage: Stage) => Promise<Prepared>;

const FORM = 'application/x-www-form-urlencoded';
const VERIFIER = 'a verifier of the examples, 43 or more characters'.replaceAll(/[ ,]/g, '-');

/** Requests of one browser, by cookies alone. Its paths are below the issuer of the stage. */
function browserOf({ service, account }: Stage) {
  const cookies = new Map<string, string>();
  const issuer = `/oidc/${account.tenantId}/live`;
  const header = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
  async function call(method: string, path: string, body?: object | string): Promise<Reply> {
    const isForm = typeof body === 'string';
    const reply = await service.call(method, path, {
      headers: { ...header(), ...(isForm && { 'content-type': FORM }) },
      address: freshAddress(),
      ...(isForm ? { raw: body } : body && { body }),
    });
    for (const text of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(text)) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  }
  const formOf = (reply: Reply, fields: Record<string, string>): Prepared => {
    const [, xsrf = ''] = /"xsrf":"(\w+)"/.exec(reply.text) ?? [];
    return {
      raw: new URLSearchParams({ xsrf, ...fields }).toString(),
      headers: { ...header(), 'content-type': FORM },
    };
  };
  return { call, header, formOf, issuer };
}

const pathOf = (url: unknown) => new URL(String(url), 'http://localhost').pathname;
const basic = ({ clientId, clientSecret }: NewClient) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  'content-type': FORM,
});

const clients = new Map<string, Promise<NewClient>>();
/** A client of the account, which is created at the first call. */
function clientOf(stage: Stage, body: object = {}): Promise<NewClient> {
  const key = `${stage.account.tenantId} ${JSON.stringify(body)}`;
  const created = clients.get(key) ?? createClient(stage, body);
  clients.set(key, created);
  return created;
}

async function authorizationOf(
  stage: Stage,
  extra: Record<string, string> = {},
): Promise<{ path: string; made: NewClient }> {
  const made = await clientOf(stage);
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(VERIFIER));
  const query = new URLSearchParams({
    client_id: made.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: Buffer.from(digest).toString('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  });
  return { path: `/oidc/${stage.account.tenantId}/live/auth?${query}`, made };
}

/** A sign-in page in a browser, with a code for the phone. */
async function pageOf(stage: Stage) {
  const browser = browserOf(stage);
  const { path, made } = await authorizationOf(stage);
  const page = pathOf((await browser.call('GET', path)).headers.location);
  const { session } = (await browser.call('POST', `${page}/session`, {})).body;
  return { browser, page, session, made };
}

async function approvedPage(stage: Stage) {
  const opened = await pageOf(stage);
  const { service, account } = stage;
  await approveOnPhone(stage, await registerPerson(service, account.key), opened.session);
  return opened;
}

async function completedPage(stage: Stage) {
  const opened = await approvedPage(stage);
  const body = { sessionId: opened.session.id };
  const { redirectTo } = (await opened.browser.call('POST', `${opened.page}/complete`, body)).body;
  return { ...opened, resume: pathOf(redirectTo) };
}

async function codeOf(stage: Stage) {
  const { browser, made, resume } = await completedPage(stage);
  const { headers } = await browser.call('GET', resume);
  const code = new URL(String(headers.location)).searchParams.get('code') as string;
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
  return { browser, made, raw: new URLSearchParams(form).toString() };
}

/** The page that asks a person who is signed in for consent. */
async function consentPageOf(stage: Stage) {
  const { browser, resume, session } = await completedPage(stage);
  await browser.call('GET', resume);
  const { path } = await authorizationOf(stage, { prompt: 'consent' });
  return { browser, page: pathOf((await browser.call('GET', path)).headers.location), session };
}

async function tokenOf(stage: Stage) {
  const { browser, made, raw } = await codeOf(stage);
  const headers = basic(made);
  const { body } = await stage.service.call('POST', `${browser.issuer}/token`, { raw, headers });
  return { browser, made, token: body.access_token as string };
}

const DEVICE = { type: 'device', redirectUris: [], tokenEndpointAuth: 'none' };
const PREFIX = '/oidc/:tenantId/:environment';

const below =
  (path: string, more: (stage: Stage) => Promise<Omit<Prepared, 'path'>> = async () => ({})): Example =>
  async (stage) => {
    await clientOf(stage);
    return { path: `/oidc/${stage.account.tenantId}/live${path}`, ...(await more(stage)) };
  };

const withToken = async (stage: Stage) => ({
  headers: { authorization: `Bearer ${(await tokenOf(stage)).token}` },
});

const tokenForm = async (stage: Stage) => {
  const { made, token } = await tokenOf(stage);
  return { raw: `token=${token}`, headers: basic(made) };
};

const onPage =
  (
    suffix: string,
    prepare: (
      stage: Stage,
    ) => Promise<Pick<Awaited<ReturnType<typeof pageOf>>, 'browser' | 'page' | 'session'>> = pageOf,
    body?: (session: { id: string }) => object,
  ): Example =>
  async (stage) => {
    const { browser, page, session } = await prepare(stage);
    const path = `${page}${suffix}${suffix === '/stream' ? `?session=${session.id}` : ''}`;
    return { path, headers: browser.header(), ...(body && { body: body(session) }) };
  };

/** A page whose session waits for the phone beside it. */
const onProvedPage: Example = async (stage) => {
  const { service, account } = stage;
  const { browser, page } = await pageOf(stage);
  await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
  const key = createKey();
  const uid = page.replace('/sign-in/', '');
  const textOf = (...parts: string[]) =>
    ['svc-browser-v1', parts[0], account.tenantId, 'live', uid, ...parts.slice(1)].join('|');
  const { browserChallenge } = (await browser.call('GET', `${page}/details`)).body.signIn;
  const shown = { jwk: key.jwk, signature: key.sign(textOf('open', browserChallenge)) };
  const { session } = (await browser.call('POST', `${page}/session`, { browser: shown })).body;
  const person = await registerPerson(service, account.key);
  const passkey = await enrolPasskey(service, account, person);
  await approveOnPhone(stage, person, session);
  await setPolicy(service, account, {});
  const { id, nonce } = session;
  const text = `svc-nearby-v1|${account.tenantId}|live|${id}|${nonce}|${key.thumbprint}`;
  const challenge = hash('sha256', text, 'base64url');
  const signed = { signature: key.sign(textOf('nearby', id, nonce)) };
  const body = { sessionId: id, credential: passkey.beside({ challenge }), browser: signed };
  return { path: `${page}/nearby`, headers: browser.header(), body };
};

async function deviceForm(stage: Stage, fields: Record<string, string> = {}) {
  const { clientId } = await clientOf(stage, DEVICE);
  const browser = browserOf(stage);
  const started = await stage.service.call('POST', `${browser.issuer}/device/auth`, {
    raw: `client_id=${clientId}&scope=openid`,
    headers: { 'content-type': FORM },
    address: freshAddress(),
  });
  const page = await browser.call('GET', `${browser.issuer}/device`);
  return { browser, form: browser.formOf(page, { user_code: started.body.user_code, ...fields }) };
}

/** Requests to the OpenID Provider that succeed. */
export const OIDC_EXAMPLES: Readonly<Record<string, Example>> = {
  [`GET ${PREFIX}/.well-known/openid-configuration`]: below('/.well-known/openid-configuration'),
  [`GET ${PREFIX}/jwks`]: below('/jwks'),
  [`GET ${PREFIX}/auth`]: async (stage) => ({ path: (await authorizationOf(stage)).path }),
  [`POST ${PREFIX}/auth`]: async (stage) => {
    const [path, raw] = (await authorizationOf(stage)).path.split('?') as [string, string];
    return { path, raw, headers: { 'content-type': FORM } };
  },
  [`GET ${PREFIX}/auth/:uid`]: async (stage) => {
    const { browser, resume } = await completedPage(stage);
    return { path: resume, headers: browser.header() };
  },
  [`POST ${PREFIX}/token`]: below('/token', async (stage) => {
    const { made, raw } = await codeOf(stage);
    return { raw, headers: basic(made) };
  }),
  [`GET ${PREFIX}/userinfo`]: below('/userinfo', withToken),
  [`POST ${PREFIX}/userinfo`]: below('/userinfo', withToken),
  [`POST ${PREFIX}/introspect`]: below('/introspect', tokenForm),
  [`POST ${PREFIX}/revoke`]: below('/revoke', tokenForm),
  [`GET ${PREFIX}/session/end`]: below('/session/end'),
  [`POST ${PREFIX}/session/end`]: below('/session/end', async () => ({
    raw: 'state=abc',
    headers: { 'content-type': FORM },
  })),
  [`POST ${PREFIX}/session/end/confirm`]: below('/session/end/confirm', async (stage) => {
    const { browser } = await tokenOf(stage);
    return browser.formOf(await browser.call('GET', `${browser.issuer}/session/end`), { logout: 'yes' });
  }),
  [`GET ${PREFIX}/session/end/success`]: below('/session/end/success'),
  [`POST ${PREFIX}/device/auth`]: below('/device/auth', async (stage) => ({
    raw: `client_id=${(await clientOf(stage, DEVICE)).clientId}&scope=openid`,
    headers: { 'content-type': FORM },
  })),
  [`GET ${PREFIX}/device`]: below('/device'),
  [`POST ${PREFIX}/device`]: below('/device', async (stage) => (await deviceForm(stage)).form),
  [`GET ${PREFIX}/device/:uid`]: async (stage) => {
    const { browser, form } = await deviceForm(stage, { confirm: 'yes' });
    const asked = await browser.call('POST', `${browser.issuer}/device`, form.raw);
    const page = pathOf(asked.headers.location);
    const { session } = (await browser.call('POST', `${page}/session`, {})).body;
    const { service, account } = stage;
    await approveOnPhone(stage, await registerPerson(service, account.key), session);
    const body = { sessionId: session.id };
    const { redirectTo } = (await browser.call('POST', `${page}/complete`, body)).body;
    return { path: pathOf(redirectTo), headers: browser.header() };
  },
  'GET /sign-in/:uid/details': onPage('/details'),
  'POST /sign-in/:uid/session': onPage('/session', pageOf, () => ({})),
  'GET /sign-in/:uid/stream': onPage('/stream', approvedPage),
  'POST /sign-in/:uid/nearby': onProvedPage,
  'POST /sign-in/:uid/complete': onPage('/complete', approvedPage, ({ id }) => ({ sessionId: id })),
  'POST /sign-in/:uid/consent': onPage('/consent', consentPageOf, () => ({})),
  'POST /sign-in/:uid/cancel': onPage('/cancel', pageOf, () => ({})),
};
