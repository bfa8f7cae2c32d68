import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/model/errors.js';
import { emptyDatabase } from '../support/database.js';
import { callAt, deviceIdsAt, signUpAt, streamAt, until } from '../support/faults/remote.js';
import { proveForPairing } from '../support/pairing.js';
import {
  endProcesses,
  freePort,
  type Installation,
  install,
  type Running,
  startProcess,
} from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';

useRealProofs();

/** nginx connects to the node from this address. No other client uses it, so the node can trust it alone. */
const PROXY_ADDRESS = '127.0.0.2';

let installed: Installation;
let folder: string;
let node: Running;
let nginx: ChildProcess;
let port: number;
let url: string;
let account: { key: string; token: string; tenantId: string };

beforeAll(async () => {
  requireNginx();
  installed = install();
  const database = await emptyDatabase();
  await database.db.close();
  node = await startProcess(installed, {
    DATABASE_URL: database.url as string,
    SVC_SECRET: 'the secret of the nginx tests, long enough',
    DEFAULT_PLAN: 'enterprise',
    TRUST_PROXY: PROXY_ADDRESS,
  });
  await node.serving;
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  nginx = await startNginx({ at: port, to: Number(new URL(node.url).port) });
  account = await signUpAt(url, 'owner');
});

afterAll(async () => {
  if (nginx?.exitCode === null) {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
  }
  endProcesses();
  installed?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

interface Proxy {
  readonly at: number;
  readonly to: number;
  readonly change?: readonly [from: RegExp, to: string];
}

/** Fails instead of skipping, since a skipped suite looks like one that passed. */
function requireNginx() {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    throw new Error('These tests need nginx. On Debian or Ubuntu: apt-get install nginx-light');
  }
}

/** Uses the shipped configuration with other ports and folders and a single node. */
async function startNginx({ at, to, change }: Proxy): Promise<ChildProcess & { output(): string }> {
  const shipped = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');
  const swap = (text: string, from: string | RegExp, to: string) => {
    const swapped = text.replace(from, to);
    if (swapped === text) throw new Error(`deploy/nginx.conf has no ${from}`);
    return swapped;
  };
  let text = swap(shipped, 'listen 80 default_server;', `listen 127.0.0.1:${at} default_server;`);
  text = swap(text, /server 127\.0\.0\.1:3001/, `server 127.0.0.1:${to}`);
  text = swap(text, /\n *server 127\.0\.0\.1:3002.*\n/, '\n');
  if (change) text = swap(text, ...change);
  text = swap(text, '/run/nginx.pid', join(folder, `pid-${at}`));
  text = swap(text, '/dev/stdout', join(folder, `access-${at}.log`));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name}-${at};`,
  );
  text = swap(text, 'http {', `http {\n  ${temporary.join(' ')}\n  proxy_bind ${PROXY_ADDRESS};`);
  const file = join(folder, `nginx-${at}.conf`);
  writeFileSync(file, text);
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${output}`);
    return fetch(`http://127.0.0.1:${at}/`).then(
      () => true,
      () => false,
    );
  });
  return Object.assign(child, { output: () => output });
}

/** Sends the bytes unchanged and reads until nginx closes the connection. */
function exchange(bytes: string): Promise<{ text: string; statuses: number[] }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(10_000, () => {
      socket.destroy();
      reject(new Error(`nginx did not close the connection:\n${text}`));
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve({
        text,
        statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
      }),
    );
    socket.write(bytes);
  });
}

const BODY = '{"name":"Smuggled"}';
const CHUNKED = `13\r\n${BODY}\r\n0\r\n\r\n`;
const NEXT = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const post = (lines: string, body = BODY) =>
  `POST /v1/devices HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;

describe('behind nginx', () => {
  it('a pairing event arrives within a second', async () => {
    const stream = await streamAt(url, account.key);
    await until(() => stream.text().includes('event: session_created'));
    const foreign = { tenantId: account.tenantId, sessionId: crypto.randomUUID(), nonce: stream.nonce };
    const proof = await proveForPairing(createIdentity(), foreign);
    const sent = performance.now();
    const rejected = await callAt(url, 'POST', `/v1/proof-pairing/sessions/${stream.sessionId}/submit`, {
      as: account.key,
      body: { ...proof, clientMeta: { platform: 'test' } },
    });
    expect(rejected.status).toBe(401);
    await until(() => stream.text().includes('event: session_error'));
    const took = performance.now() - sent;
    console.log(`a pairing event took ${Math.round(took)} ms through nginx, its cause included`);
    expect(took).toBeLessThan(1_000);
    stream.disconnect();
  });

  it.each<[string, () => string]>([
    [
      'both Content-Length and Transfer-Encoding',
      () => post('Content-Length: 19\r\nTransfer-Encoding: chunked\r\n', CHUNKED),
    ],
    [
      'Transfer-Encoding and then Content-Length',
      () => post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', CHUNKED),
    ],
    [
      'two Transfer-Encodings',
      () => post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNKED),
    ],
    ['two different Content-Lengths', () => post('Content-Length: 19\r\nContent-Length: 5\r\n')],
    ['two equal Content-Lengths', () => post('Content-Length: 19\r\nContent-Length: 19\r\n')],
    ['a Content-Length list', () => post('Content-Length: 19, 19\r\n')],
    ['a signed Content-Length', () => post('Content-Length: +19\r\n')],
    ['a hexadecimal Content-Length', () => post('Content-Length: 0x13\r\n')],
    ['a space before the colon', () => post('Content-Length : 19\r\n')],
    ['a NUL in a header', () => post('X-Nul: a\0b\r\nContent-Length: 19\r\n')],
    [
      'a chunk size that is not a number',
      () => post('Transfer-Encoding: chunked\r\n', `zz\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    [
      'a chunk longer than its size',
      () => post('Transfer-Encoding: chunked\r\n', `5\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    ['two Hosts', () => `GET /api/health/live HTTP/1.1\r\nHost: x\r\nHost: evil.test\r\n\r\n`],
    ['no Host', () => 'GET /api/health/live HTTP/1.1\r\n\r\n'],
  ])('a request with %s gets a single response, 400, and has no effect', async (_, make) => {
    const before = (await deviceIdsAt(url, account.key)).size;
    const { text, statuses } = await exchange(make() + NEXT);
    expect(statuses, text).toEqual([400]);
    expect((await deviceIdsAt(url, account.key)).size).toBe(before);
  });

  it('nginx returns 501 for an unknown Transfer-Encoding', async () => {
    const { statuses } = await exchange(post('Transfer-Encoding: xchunked\r\n', CHUNKED) + NEXT);
    expect(statuses).toEqual([501]);
  });

  it('well-formed requests on one connection get one response each', async () => {
    const length = `Content-Length: ${BODY.length}\r\n`;
    const { statuses } = await exchange(
      post(length) + post('Transfer-Encoding: chunked\r\n', CHUNKED) + NEXT,
    );
    expect(statuses).toEqual([201, 201, 200]);
  });

  it('ignores X-Forwarded-For from clients of nginx and from clients that bypass nginx', async () => {
    let attempt = 0;
    /** A phone with a wrong code. Its address has ten attempts a minute. */
    const enroll = async (to: string, from = '127.0.0.1') => {
      attempt += 1;
      const sent = request(`${to}/v1/devices/enroll`, {
        method: 'POST',
        localAddress: from,
        agent: false,
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `198.51.100.${attempt}`,
          forwarded: `for=198.51.100.${attempt}`,
        },
      });
      sent.end(JSON.stringify({ enrollment_code: 'SV-2345-6789', fingerprint: 'f'.repeat(16) }));
      const [reply] = await once(sent, 'response');
      reply.resume();
      return reply.statusCode as number;
    };
    const enrollElevenTimes = async (to: string, from: string) => {
      const statuses: number[] = [];
      for (let at = 0; at < 11; at += 1) statuses.push(await enroll(to, from));
      return statuses;
    };
    const expected = [...Array(10).fill(404), 429];
    expect(await enrollElevenTimes(url, '127.0.0.4')).toEqual(expected);
    // The node counts the address that nginx passes on, so each client of nginx has its own ten attempts.
    expect(await enrollElevenTimes(url, '127.0.0.5')).toEqual(expected);
    expect(await enrollElevenTimes(node.url, '127.0.0.6')).toEqual(expected);
  });

  it('a body that is too large gets the same 413 from nginx and from the service', async () => {
    const sendBodyOf = async (size: number) => {
      const body = `{"name":"${'a'.repeat(size - 11)}"}`;
      const { statuses, text } = await exchange(
        post(`Connection: close\r\nContent-Length: ${size}\r\n`, body),
      );
      const { requestId, ...error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
      expect(text.toLowerCase()).toContain(`x-request-id: ${requestId}\r\n`);
      expect(text).toContain('application/json');
      return [statuses, error];
    };
    const toNginx = await sendBodyOf(65 * 1024 + 1);
    expect(toNginx).toEqual(await sendBodyOf(64 * 1024 + 1));
    expect(toNginx[0]).toEqual([413]);
  });

  it('reports unreachable and silent nodes as 503 in the service’s envelope', async () => {
    const held = new Set<Socket>();
    const silent = createServer((socket) => held.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    for (const to of [await freePort(), (silent.address() as AddressInfo).port]) {
      const at = await freePort();
      const other = await startNginx({ at, to, change: [/proxy_read_timeout 60s/, 'proxy_read_timeout 1s'] });
      const reply = await fetch(`http://127.0.0.1:${at}/v1/devices`, {
        headers: { 'x-api-key': account.key },
      });
      const requestId = reply.headers.get('x-request-id');
      expect(requestId).toMatch(/^[0-9a-f]{32}$/);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
      expect(reply.headers.get('content-type')).toBe('application/json');
      expect(await reply.json()).toEqual({
        error: 'service_unavailable',
        message: ERRORS.service_unavailable.message,
        docs: '/docs/errors#service_unavailable',
        requestId,
      });
      other.kill('SIGTERM');
      await once(other, 'exit');
    }
    for (const socket of held) socket.destroy();
    silent.close();
  });

  it('never logs API keys or query strings', async () => {
    await callAt(url, 'GET', '/v1/devices?limit=1&cursor=needle7f3a', { as: account.key });
    const text = readFileSync(join(folder, `access-${port}.log`), 'utf8');
    expect(text).toContain('GET /v1/devices');
    expect(text).not.toContain('needle7f3a');
    expect(text).not.toContain(account.key);
  });

  it('never logs query strings when no node responds', async () => {
    const at = await freePort();
    const alone = await startNginx({ at, to: await freePort() });
    const reply = await fetch(`http://127.0.0.1:${at}/v1/users?email=needle7f3a@example.com`);
    alone.kill('SIGTERM');
    await once(alone, 'exit');
    const access = readFileSync(join(folder, `access-${at}.log`), 'utf8');
    expect(reply.status).toBe(503);
    expect(access).toContain('"GET /v1/users" 503');
    expect(access + alone.output()).not.toContain('needle7f3a');
  });
});
