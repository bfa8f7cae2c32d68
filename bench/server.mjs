// The embedded server as `npm start` runs it: memory after the quickstart, including its first start, and the event loop delay
// during verifications, each compared with its promise.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickstart } from '../cli/dist/phone/quickstart.js';
import { didHash } from '../zk/dist/field.js';
import { createIdentity } from '../zk/dist/phone.js';
import { createProver } from '../zk/dist/prover/prover.js';
import { artifactFiles, artifactsFolder } from '../zk/dist/setup/artifacts.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const CONNECTIONS = 16;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (role) => readFileSync(join(artifactsFolder, artifactFiles[role]));

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
const baseUrl = `http://127.0.0.1:${port}`;
const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const server = spawn(
  process.execPath,
  ['--import', path('loop-delay.mjs'), path('../server/dist/bin/serve.js')],
  {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      DEFAULT_PLAN: 'enterprise',
      PLAN_WINDOW_MULTIPLIER: '1000',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  },
);
const ask = (what) =>
  new Promise((resolve) => {
    server.once('message', resolve);
    server.send(what);
  });

async function call(method, target, key, body) {
  const reply = await fetch(new URL(target, baseUrl), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${target} returned ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

/** An account with one person whose proof can be used repeatedly: unbound proofs are allowed, and the nonces are fresh. */
async function prepare() {
  const body = {
    email: `bench-${randomUUID()}@example.com`,
    password: `bench ${randomUUID()}`,
    companyName: 'Bench',
  };
  const { token, apiKey } = await call('POST', '/api/console/signup', '', body);
  await call('PUT', '/api/console/security-policy', token, {
    security_policy: { allow_unbound_proofs: true },
  });
  const identity = createIdentity();
  const { did, commitment, biometricSecret, salt } = identity;
  await call('POST', '/v1/identity/register', apiKey.key, { did, commitment });
  const prover = await createProver({ wasm: read('wasm'), zkey: read('zkey') });
  const proof = await prover.prove({ biometricSecret, salt, didHash: didHash(did) });
  return { key: apiKey.key, body: { did, ...proof } };
}

async function load({ key, body }) {
  const until = performance.now() + SECONDS * 1000;
  let verified = 0;
  const client = async () => {
    while (performance.now() < until) {
      await call('POST', '/v1/identity/verify', key, { ...body, nonce: randomUUID(), timestamp: Date.now() });
      verified += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return verified / SECONDS;
}

try {
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${baseUrl}/api/health/ready`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (up) break;
    if (tries > 300 || server.exitCode !== null) throw new Error('The server did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await quickstart({ baseUrl }, { step() {}, line() {} });
  const { rss } = await ask('read');
  const subject = await prepare();
  await load(subject);
  await ask('reset');
  const perSecond = await load(subject);
  const { p99 } = await ask('read');
  console.table([
    {
      what: 'event loop delay, p99, ms',
      ours: p99.toFixed(2),
      promised: '20',
      ratio: (20 / p99).toFixed(2),
    },
    {
      what: 'memory after the quickstart, MB',
      ours: (rss / 1e6).toFixed(0),
      promised: '600',
      ratio: (600e6 / rss).toFixed(2),
    },
  ]);
  console.log(
    `At the same time ${perSecond.toFixed(0)} verifications a second, embedded database, ${CONNECTIONS} connections.`,
  );
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
