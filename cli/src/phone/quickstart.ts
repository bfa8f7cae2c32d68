import { randomBytes } from 'node:crypto';
import { boundSignal, didHash, verifyBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { createProver, type ProverOutput } from '@svc/zk/prover/prover';
import { checkChain, type ShownEvent, type ShownHead } from '../checks/audit-check.js';
import { type Client, createClient } from '../client.js';
import { Failure } from '../failure.js';
import type { Output } from '../terminal.js';
import { askNonce, type Nonce } from './acts.js';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly sessionId: string;
}

const short = (text: string) => `${text.slice(0, 24)}…`;

/** From nothing to a verified proof against a running server, each step told; throws a Failure when one fails. */
export async function quickstart(baseUrl: string, out: Output): Promise<void> {
  const client = createClient(baseUrl);
  const { call } = client;
  out.line(`Server: ${baseUrl}`);

  out.step('Sign up: an account is a tenant, with records and keys of its own');
  const email = `quickstart-${randomBytes(6).toString('hex')}@example.com`;
  const password = `quickstart ${randomBytes(9).toString('base64url')} 7`;
  const account = await call<{ token: string; tenant: { id: string } }>('POST', '/api/console/signup', {
    body: { email, password, companyName: 'Quickstart' },
  });
  out.line(`account  ${email}`);
  out.line(`tenant   ${account.tenant.id}`);

  out.step('Make an API key: it carries the environment and the scopes');
  const { apiKey } = await call<{ apiKey: { key: string; scopes: string[] } }>('POST', '/api/console/keys', {
    as: account.token,
    body: { name: 'Quickstart', environment: 'live' },
  });
  out.line(`key      ${apiKey.key.slice(0, 16)}… (shown once; the server keeps its hash)`);
  out.line(`scopes   ${apiKey.scopes.join(' ')}`);

  out.step('On the phone: make a secret that never leaves it');
  const identity = createIdentity();
  out.line('secret   248 random bits, kept behind the phone’s biometric lock');
  out.line(`commits  ${short(identity.commitment)}  = Poseidon(secret, salt)`);
  out.line(`did      ${short(identity.did)}`);

  out.step('Register: the server learns the DID and the commitment, nothing else');
  const registered = await call<{ userId: string }>('POST', '/v1/identity/register', {
    as: apiKey.key,
    body: { did: identity.did, commitment: identity.commitment },
  });
  out.line(`user     ${registered.userId}`);

  out.step('Ask for a nonce: a proof is good for one use, in one tenant and environment');
  const nonce = await askNonce(client, apiKey.key);
  out.line(`nonce    ${nonce.nonce}`);

  out.step('On the phone: prove knowledge of the secret, bound to that nonce');
  const started = performance.now();
  const proof = await prove(client, apiKey.key, identity, nonce);
  out.line(
    `proof    Groth16 over BN254, made in ${Math.round(performance.now() - started)} ms, the circuit’s download included`,
  );

  out.step('Verify: the server checks the proof and opens a session');
  const verified = await call<Tokens>('POST', '/v1/identity/verify', {
    as: apiKey.key,
    body: { did: identity.did, ...proof, nonce: nonce.nonce, timestamp: nonce.timestamp },
  });
  out.line(`session  ${verified.sessionId}`);

  await useSession(call, apiKey.key, verified, out);
  await readRecords(call, apiKey.key, nonce.environment, out);
  out.line('');
  out.line('That is the whole path. The API is described at /openapi.json, its errors at /docs/errors.');
}

async function prove(
  client: Client,
  key: string,
  identity: PhoneIdentity,
  use: Nonce,
): Promise<ProverOutput> {
  const { wasmPath, zkeyPath } = await client.call<{ wasmPath: string; zkeyPath: string }>(
    'GET',
    '/v1/auth/zkp/circuit-info',
    {
      as: key,
    },
  );
  const bytes = async (path: string) =>
    new Uint8Array(await new Response(await client.download(path)).arrayBuffer());
  const [wasm, zkey] = await Promise.all([bytes(wasmPath), bytes(zkeyPath)]);
  const prover = await createProver({ wasm, zkey });
  const { tenantId, environment, nonce, timestamp } = use;
  const bind = verifyBind({ tenantId, environment, nonce, timestampMs: timestamp });
  return prover.prove({
    biometricSecret: identity.biometricSecret,
    salt: identity.salt,
    didHash: boundSignal(didHash(identity.did), bind),
  });
}

async function useSession(call: Client['call'], key: string, session: Tokens, out: Output): Promise<void> {
  out.step('Who is it? Ask with the session’s access token');
  const me = await call<{ user: { fullName: string; status: string } }>('GET', '/v1/identity/me', {
    as: key,
    session: session.accessToken,
  });
  out.line(`user     ${me.user.fullName} (${me.user.status})`);

  out.step('Refresh: each refresh token works once');
  const body = { refreshToken: session.refreshToken };
  const fresh = await call<Tokens>('POST', '/v1/identity/refresh', { as: key, body });
  out.line('tokens   new ones; sending the old refresh token again would end the session');

  out.step('Log out: the session ends at once');
  await call('POST', '/v1/identity/logout', { as: key, session: fresh.accessToken });
  const refused = await call('GET', '/v1/identity/me', { as: key, session: fresh.accessToken }).then(
    () => 'still good: this is a bug',
    () => 'refused from now on',
  );
  out.line(`token    ${refused}`);
}

interface AuditPage {
  readonly audit: ShownEvent[];
  readonly nextCursor: string | null;
  readonly head: ShownHead;
}

async function readRecords(
  call: Client['call'],
  key: string,
  environment: 'live' | 'test',
  out: Output,
): Promise<void> {
  out.step('What was recorded: the verification …');
  const { verifications } = await call<{ verifications: { id: string; method: string; result: string }[] }>(
    'GET',
    '/v1/verifications',
    { as: key },
  );
  for (const { id, method, result } of verifications) out.line(`${method}  ${result}  ${id}`);

  out.step('… and the audit chain, recomputed here from its first row to its signed head');
  const first = await call<AuditPage>('GET', '/v1/audit?limit=100', { as: key });
  const events = [...first.audit];
  for (let { nextCursor } = first; nextCursor !== null; ) {
    const page = await call<AuditPage>('GET', `/v1/audit?limit=100&cursor=${nextCursor}`, { as: key });
    events.push(...page.audit);
    nextCursor = page.nextCursor;
  }
  events.reverse();
  for (const { seq, action, status, hash } of events)
    out.line(`${String(seq).padStart(3)}  ${action.padEnd(22)} ${status}  ${short(hash)}`);
  const fault = checkChain(events, first.head, environment);
  if (fault !== undefined) throw new Failure('refused', `The audit chain does not hold: ${fault}.`);
  out.line(`The chain holds: ${events.length} rows, every hash and the head’s signature are right.`);
}
