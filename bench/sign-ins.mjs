// Sign-ins of a person with a phone: by pairing a desktop, and at the OpenID Provider. For the benchmarks of both.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { boundSignal, didHash, pairingBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { bearer, call, signUp } from './servers.mjs';

const CALLBACK = 'https://app.example.com/callback';
/** Browsers that sign in at the same time. */
export const BROWSERS = 16;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let addresses = 0;
/** Each request comes from its own address. */
export function freshAddress(network) {
  addresses = (addresses + 1) % 60_000;
  return `10.${network}.${addresses >> 8}.${addresses & 255}`;
}

/** One request, with the cookies of a browser. Limits count by address, so each comes from its own. */
function send(baseUrl, method, path, { cookies = new Map(), body, headers = {} } = {}) {
  const payload = body instanceof URLSearchParams ? body.toString() : body && JSON.stringify(body);
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';
  return new Promise((resolve, reject) => {
    request(
      new URL(path, baseUrl),
      {
        method,
        agent,
        headers: {
          'x-forwarded-for': freshAddress(77),
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(payload && { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          for (const line of response.headers['set-cookie'] ?? []) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
            cookies.set(name, value);
          }
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, location: response.headers.location, text });
        });
      },
    )
      .once('error', reject)
      .end(payload);
  });
}

const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
let prover;

/** A new account with a person. The phone proves that it approves a pairing. */
async function signUpWithPhone(baseUrl) {
  prover ??= await createProver({ wasm: read('wasm'), zkey: read('zkey') });
  const { tenant, apiKey, token } = await signUp(baseUrl);
  const { did, commitment, biometricSecret, salt } = createIdentity();
  await call(baseUrl, 'POST', '/v1/identity/register', bearer(apiKey.key), { did, commitment });
  const prove = async (use) => ({
    did,
    ...(await prover.prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), pairingBind(use)) })),
  });
  return { tenant, token, headers: bearer(apiKey.key), phone: { prove } };
}

/**
 * Pairs desktops with a phone, one after another: opens a session, submits the proof, and reads the session.
 * @returns a function that does so a number of times
 */
export async function pairings(baseUrl) {
  const { tenant, headers, phone } = await signUpWithPhone(baseUrl);
  const SESSIONS = '/v1/proof-pairing/sessions';
  return async (count) => {
    for (let n = 0; n < count; n++) {
      // Of the desktop.
      const cookies = new Map();
      const opened = await send(baseUrl, 'POST', SESSIONS, { cookies, headers, body: {} });
      if (opened.status !== 201)
        throw new Error(`Opening a session returned ${opened.status} ${opened.text}.`);
      const { id, nonce } = JSON.parse(opened.text).session;
      const use = { tenantId: tenant.id, environment: 'live', sessionId: id, nonce };
      const body = await phone.prove(use);
      const submitted = await send(baseUrl, 'POST', `${SESSIONS}/${id}/submit`, { headers, body });
      if (submitted.status !== 200)
        throw new Error(`A submit returned ${submitted.status} ${submitted.text}.`);
      const ended = await send(baseUrl, 'GET', `${SESSIONS}/${id}`, { cookies, headers });
      if (ended.status !== 200) throw new Error(`Reading a session returned ${ended.status} ${ended.text}.`);
    }
  };
}

/** A person's browsers at an application of the OpenID Provider. */
export async function openBrowsers(baseUrl, count) {
  const { tenant, token, phone } = await signUpWithPhone(baseUrl);
  const { client, clientSecret } = await call(baseUrl, 'POST', '/api/console/oidc/clients', bearer(token), {
    name: 'Bench',
    type: 'web',
    redirectUris: [CALLBACK],
    tokenEndpointAuth: 'client_secret_basic',
    subjectType: 'pairwise',
  });
  const issuer = `/oidc/${tenant.id}/live`;
  const basic = `Basic ${Buffer.from(`${client.clientId}:${clientSecret}`).toString('base64')}`;

  function authorization() {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      state: randomBytes(16).toString('hex'),
      nonce: randomBytes(16).toString('hex'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { verifier, path: `${issuer}/auth?${query}` };
  }

  async function exchange(location, verifier) {
    const code = new URL(location, baseUrl).searchParams.get('code');
    if (code === null) throw new Error(`There is no code in ${location}.`);
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    const reply = await send(baseUrl, 'POST', `${issuer}/token`, { body, headers: { authorization: basic } });
    if (reply.status !== 200) throw new Error(`The token endpoint returned ${reply.status} ${reply.text}.`);
  }

  /** From the sign-in page to the tokens, with a phone. */
  async function signIn(cookies) {
    const { verifier, path } = authorization();
    const started = performance.now();
    const page = await send(baseUrl, 'GET', path, { cookies });
    const at = new URL(page.location, baseUrl).pathname;
    await send(baseUrl, 'GET', at, { cookies });
    const { session } = JSON.parse(
      (await send(baseUrl, 'POST', `${at}/session`, { cookies, body: {} })).text,
    );
    const { id, qrPayload, matchCode } = session;
    const fields = qrPayload.split(':');
    const use = { tenantId: tenant.id, environment: 'live', sessionId: id, nonce: fields[4], matchCode };
    const [slot, slotMac] = fields.slice(-2);
    const submit = { ...(await phone.prove(use)), matchCode, slot: Number(slot), slotMac };
    const approved = await send(baseUrl, 'POST', `/v1/phone/pairing/${id}/submit`, { body: submit });
    if (approved.status !== 200) throw new Error(`The phone got ${approved.status} ${approved.text}.`);
    const done = await send(baseUrl, 'POST', `${at}/complete`, { cookies, body: { sessionId: id } });
    const { redirectTo } = JSON.parse(done.text);
    const back = await send(baseUrl, 'GET', redirectTo, { cookies });
    await exchange(back.location, verifier);
    return performance.now() - started;
  }

  /** From the authorization request to the tokens, in a browser that the person has signed in with before. */
  async function authorize(cookies) {
    const { verifier, path } = authorization();
    const page = await send(baseUrl, 'GET', path, { cookies });
    await exchange(page.location, verifier);
  }

  const browsers = [];
  const times = [];
  for (let n = 0; n < count; n++) {
    const cookies = new Map();
    times.push(await signIn(cookies));
    browsers.push(() => authorize(cookies));
  }
  return { issuer, browsers, times };
}

/** @returns a function that goes from the authorization request to the tokens a number of times */
export async function openIdSignIns(baseUrl) {
  const { browsers } = await openBrowsers(baseUrl, BROWSERS);
  return async (count) => {
    let left = count;
    const one = async (authorize) => {
      while (left-- > 0) await authorize();
    };
    await Promise.all(browsers.map(one));
  };
}
