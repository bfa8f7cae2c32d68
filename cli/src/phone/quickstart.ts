import { randomBytes } from 'node:crypto';
import {
  type AuditEvent,
  type AuditExportEnd,
  Svc,
  SvcError,
  type SvcOptions,
  verifyAuditChain,
} from '@svc/sdk';
import { boundSignal, didHash, verifyBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { createProver, type ProverOutput } from '@svc/zk/prover/prover';
import { Failure } from '../failure.js';
import type { Output } from '../terminal.js';
import { createNonce, type Nonce } from './acts.js';

const shorten = (text: string) => `${text.slice(0, 24)}…`;

/** Goes from no account to a verified proof against a running server, and prints each step. */
export async function quickstart(options: SvcOptions, out: Output): Promise<void> {
  const visitor = new Svc(options);
  out.line(`Server: ${visitor.baseUrl}`);

  out.step('Sign up: an account is a tenant, with its own records and keys');
  const email = `quickstart-${randomBytes(6).toString('hex')}@example.com`;
  const password = `quickstart ${randomBytes(9).toString('base64url')} 7`;
  const account = await visitor.console.signUp({ email, password, companyName: 'Quickstart' });
  out.line(`account  ${email}`);
  out.line(`tenant   ${account.tenant.id}`);

  out.step('Create an API key: it carries the environment and the scopes');
  const console = new Svc({ ...options, consoleToken: account.token }).console;
  const apiKey = await console.keys.create({ name: 'Quickstart', environment: 'live' });
  out.line(`key      ${apiKey.key.slice(0, 16)}… (returned once; the server stores its hash)`);
  out.line(`scopes   ${apiKey.scopes.join(' ')}`);
  const svc = new Svc({ ...options, apiKey: apiKey.key });

  out.step('On the phone: create a secret that never leaves it');
  const identity = createIdentity();
  out.line('secret   248 random bits, stored behind the phone’s biometric lock');
  out.line(`commits  ${shorten(identity.commitment)}  = Poseidon(secret, salt)`);
  out.line(`did      ${shorten(identity.did)}`);

  out.step('Register: the server learns the DID and the commitment, nothing else');
  const { did, commitment } = identity;
  const registered = await svc.identity.register({ did, commitment });
  out.line(`user     ${registered.userId}`);

  out.step('Request a nonce: a proof is valid once, in one tenant and environment');
  const nonce = await createNonce(svc);
  out.line(`nonce    ${nonce.nonce}`);

  out.step('On the phone: prove knowledge of the secret, bound to that nonce');
  const started = performance.now();
  const proof = await prove(svc, identity, nonce);
  out.line(
    `proof    Groth16 over BN254, computed in ${Math.round(performance.now() - started)} ms, including the circuit’s download`,
  );

  out.step('Verify: the server checks the proof and opens a session');
  const { timestamp } = nonce;
  const session = await svc.identity.verify({ did, ...proof, nonce: nonce.nonce, timestamp });
  out.line(`session  ${session.sessionId}`);

  await useSession(svc, session, out);
  await readRecords(svc, account.tenant.id, out);
  out.line('');
  out.line('Done. The API is described at /openapi.json, its errors at /docs/errors.');
}

async function prove(svc: Svc, identity: PhoneIdentity, use: Nonce): Promise<ProverOutput> {
  const { wasmPath, zkeyPath } = await svc.identity.getCircuitInfo();
  const [wasm, zkey] = await Promise.all([svc.download(wasmPath), svc.download(zkeyPath)]);
  const prover = await createProver({ wasm, zkey });
  const { tenantId, environment, nonce, timestamp } = use;
  const bind = verifyBind({ tenantId, environment, nonce, timestampMs: timestamp });
  return prover.prove({
    biometricSecret: identity.biometricSecret,
    salt: identity.salt,
    didHash: boundSignal(didHash(identity.did), bind),
  });
}

async function useSession(
  svc: Svc,
  session: { readonly accessToken: string; readonly refreshToken: string },
  out: Output,
): Promise<void> {
  out.step('Get the session’s user with its access token');
  const { user } = await svc.sessions.getCurrentIdentity(session.accessToken);
  out.line(`user     ${user.fullName} (${user.status})`);

  out.step('Refresh: each refresh token works once');
  const fresh = await svc.sessions.refresh(session.refreshToken);
  out.line('tokens   new ones; sending the old refresh token again would end the session');

  out.step('Log out: the session ends immediately');
  await svc.sessions.logOut(fresh.accessToken);
  const rejected = await svc.sessions.getCurrentIdentity(fresh.accessToken).then(
    () => 'still accepted: this is a bug',
    (error: unknown) => {
      if (error instanceof SvcError) return 'rejected from now on';
      throw error;
    },
  );
  out.line(`token    ${rejected}`);
}

async function readRecords(svc: Svc, tenantId: string, out: Output): Promise<void> {
  out.step('What was recorded: the verification …');
  for await (const { id, method, result } of svc.verifications.list())
    out.line(`${method}  ${result}  ${id}`);

  out.step('… and the audit chain, recomputed here from its first row to its signed head');
  const rows: (AuditEvent | AuditExportEnd)[] = [];
  for await (const row of svc.audit.export()) {
    rows.push(row);
    if ('head' in row) continue;
    const { seq, action, status, hash } = row;
    out.line(`${String(seq).padStart(3)}  ${action.padEnd(22)} ${status}  ${shorten(hash)}`);
  }
  const verdict = await verifyAuditChain(rows, { tenantId, environment: svc.environment });
  if (!verdict.holds) throw new Failure('refused', `The audit chain is not valid: ${verdict.fault}.`);
  out.line(`The chain is valid: ${verdict.rows} rows. Every hash and the head’s signature are correct.`);
}
