// The OpenID Provider over one node and one PostgreSQL: how many sign-ins a second go from the authorization request to the tokens in
// browsers that a phone has approved before, what discovery and keys take with and without a tag, and one sign-in with a phone from
// the page to the tokens. Needs a build. BENCH_SECONDS=<n> of each load, BENCH_SIGN_INS=<n> with a phone.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { boundSignal, didHash, pairingBind } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';
import { load } from './load.mjs';
import { bearer, call, SERVICE, signUp, withServer } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const SIGN_INS = Number(process.env.BENCH_SIGN_INS ?? 10);
const BROWSERS = 16;
const CALLBACK = 'https://app.example.com/callback';
const PROMISED_A_SECOND = 300;
const PROMISED_MS = 2_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let addresses = 0;
/** Each request comes from its own address. */
function freshAddress(network) {
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

async function measure(baseUrl) {
  const { tenant, apiKey, token } = await signUp(baseUrl);
  const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));
  const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
  const phone = createIdentity();
  const { did, commitment } = phone;
  await call(baseUrl, 'POST', '/v1/identity/register', bearer(apiKey.key), { did, commitment });
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
    const { biometricSecret, salt } = phone;
    const proof = await prover.prove({
      biometricSecret,
      salt,
      didHash: boundSignal(didHash(did), pairingBind(use)),
    });
    const [slot, slotMac] = fields.slice(-2);
    const submit = { did, ...proof, matchCode, slot: Number(slot), slotMac };
    const approved = await send(baseUrl, 'POST', `/v1/phone/pairing/${id}/submit`, { body: submit });
    if (approved.status !== 200) throw new Error(`The phone got ${approved.status} ${approved.text}.`);
    const done = await send(baseUrl, 'POST', `${at}/complete`, { cookies, body: { sessionId: id } });
    const { redirectTo } = JSON.parse(done.text);
    const back = await send(baseUrl, 'GET', redirectTo, { cookies });
    await exchange(back.location, verifier);
    return performance.now() - started;
  }

  const browsers = [];
  const times = [];
  for (let n = 0; n < Math.max(BROWSERS, SIGN_INS); n++) {
    const cookies = new Map();
    times.push(await signIn(cookies));
    browsers.push(cookies);
  }

  let done = 0;
  const until = performance.now() + SECONDS * 1000;
  await Promise.all(
    browsers.slice(0, BROWSERS).map(async (cookies) => {
      while (performance.now() < until) {
        const { verifier, path } = authorization();
        const page = await send(baseUrl, 'GET', path, { cookies });
        await exchange(page.location, verifier);
        done++;
      }
    }),
  );

  const document = `${issuer}/.well-known/openid-configuration`;
  const read200 = () => ({
    method: 'GET',
    path: document,
    headers: { 'x-forwarded-for': freshAddress(78) },
    status: 200,
  });
  const discovery = await load(baseUrl, { connections: 16, seconds: SECONDS / 2, next: read200 });
  times.sort((left, right) => left - right);
  return { perSecond: done / SECONDS, discovery, median: times[times.length >> 1], worst: times.at(-1) };
}

const postgres = await openPostgres({ embedded: false });
try {
  const result = await withServer(postgres, SERVICE, measure);
  console.log(`OpenID Provider: ${BROWSERS} browsers, ${SECONDS} s`);
  console.table([
    {
      what: 'authorization request to tokens, a second',
      ours: result.perSecond.toFixed(0),
      promised: PROMISED_A_SECOND,
      ratio: (result.perSecond / PROMISED_A_SECOND).toFixed(2),
    },
    {
      what: 'sign-in with a phone, median, ms (proof included)',
      ours: result.median.toFixed(0),
      promised: PROMISED_MS,
      ratio: (PROMISED_MS / result.median).toFixed(1),
    },
    {
      what: 'the slowest, ms',
      ours: result.worst.toFixed(0),
      promised: PROMISED_MS,
      ratio: (PROMISED_MS / result.worst).toFixed(1),
    },
    {
      what: 'discovery, a second',
      ours: Object.values(result.discovery)[0]?.toFixed?.(0) ?? '',
      promised: '',
      ratio: '',
    },
  ]);
} finally {
  await postgres.close?.();
}
