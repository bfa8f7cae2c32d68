// The servers to measure, each in its own process with its own database.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const path = (name) => (isAbsolute(name) ? name : fileURLToPath(new URL(name, import.meta.url)));

export const ADMIN = randomUUID();
export const SECRET = randomUUID() + randomUUID();

/** The default build with everything on. Rate limits are widened, because a load test is a single, fast client. */
export const SERVICE = {
  name: 'svc',
  file: '../server/dist/bin/serve.js',
  settings: {
    SVC_SECRET: SECRET,
    ADMIN_API_KEY: ADMIN,
    DEFAULT_PLAN: 'enterprise',
    PLAN_WINDOW_MULTIPLIER: '1000',
    NODE_ENV: '',
    // Sign-ups are limited by address, so each comes from its own address.
    TRUST_PROXY: '127.0.0.1',
  },
};

export const PLAIN = { name: 'plain', file: './plain-server.mjs', settings: {} };

export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Calls `work(databaseUrl)` with a new database. */
export async function withDatabase(postgres, name, work) {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  const database = `svc_bench_${name}_${process.pid}`;
  await admin.query(`create database ${database}`);
  const url = new URL(postgres.url);
  url.pathname = `/${database}`;
  try {
    return await work(url.href);
  } finally {
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}

/** Starts a server, with `flags` for node. Resolves when it serves. */
export async function startServer({ name, file, settings, flags = [] }, databaseUrl) {
  const port = await freePort();
  const env = { ...process.env, ...settings, PORT: String(port), DATABASE_URL: databaseUrl };
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const server = spawn(process.env.BENCH_NODE ?? process.execPath, [...flags, path(file)], { env, stdio });
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const baseUrl = `http://127.0.0.1:${port}`;
  const close = () => {
    server.kill('SIGTERM');
    return gone;
  };
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${baseUrl}/api/health`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (up) return { baseUrl, server, close };
    if (tries > 300 || server.exitCode !== null) {
      await close();
      throw new Error(`The ${name} server did not start.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs nodes of a server with one new database during `work(nodes, databaseUrl)`. */
export const withNodes = (postgres, count, options, work) =>
  withDatabase(postgres, options.name, async (databaseUrl) => {
    const nodes = [];
    try {
      while (nodes.length < count) nodes.push(await startServer(options, databaseUrl));
      return await work(nodes, databaseUrl);
    } finally {
      await Promise.all(nodes.map(({ close }) => close()));
    }
  });

/** Runs a server with its own database during `work(baseUrl, pid, databaseUrl)`. */
export const withServer = (postgres, options, work) =>
  withNodes(postgres, 1, options, ([{ baseUrl, server }], databaseUrl) =>
    work(baseUrl, server.pid, databaseUrl),
  );

export async function call(baseUrl, method, target, headers, body) {
  const reply = await fetch(new URL(target, baseUrl), {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${target} returned ${reply.status}: ${await reply.text()}`);
  return reply.json();
}
export const bearer = (token) => ({ authorization: `Bearer ${token}` });

let signedUp = 0;

/** A new account: its console token, its first key, and how it logs in. */
export async function signUp(baseUrl) {
  const login = { email: `bench-${randomUUID()}@example.com`, password: `bench ${randomUUID()}` };
  const headers = { 'x-forwarded-for': `198.51.100.${++signedUp}` };
  const body = { ...login, companyName: 'Bench' };
  return { ...(await call(baseUrl, 'POST', '/api/console/signup', headers, body)), login };
}
