// @module-tag if-touched @core server/src/features/health/ scripts/: starts and ends processes
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callAt, signUpAt, streamAt, until } from '../support/faults/remote.js';
import {
  endProcesses,
  freePort,
  freshSettings,
  type Installation,
  install,
  startProcess,
} from '../support/process.js';

let installed: Installation;
let folder: string;
beforeAll(() => {
  installed = install();
  folder = mkdtempSync(join(tmpdir(), 'svc-shutdown-'));
});
afterAll(() => {
  endProcesses();
  installed.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('a shutdown with DRAIN_SECONDS', () => {
  it('reports not ready while it keeps serving, then ends streams with a comment and exits with 0 [service/shutdown]', async () => {
    const metricsPort = await freePort();
    const running = await startProcess(installed, {
      ...(await freshSettings(join(folder, 'data'))),
      DRAIN_SECONDS: '3',
      METRICS_PORT: String(metricsPort),
    });
    await running.serving;
    const { key } = await signUpAt(running.url, 'owner');
    const stream = await streamAt(running.url, key);
    await until(() => stream.text().includes('event: session_created'));
    const readiness = async () => (await callAt(running.url, 'GET', '/api/health/ready')).status;
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(await readiness()).toBe(200);
    expect(await metrics()).toMatch(/^svc_streams_open 1$/m);

    running.kill('SIGTERM');
    await until(async () => (await readiness()) === 503);
    running.kill('SIGTERM');
    running.kill('SIGINT');
    expect((await callAt(running.url, 'GET', '/api/health/live')).status).toBe(200);
    const written = await callAt(running.url, 'POST', '/v1/devices', { as: key, body: { name: 'Door' } });
    expect([written.status, written.headers.get('connection')]).toEqual([201, 'close']);
    expect(await metrics()).toMatch(/^svc_ready 0$/m);
    expect(stream.text()).not.toContain('closing');

    expect(await stream.ended).toBe(true);
    expect(stream.text()).toMatch(/\n\n: this node is closing, connect again\nretry: 1000\n\n$/);
    const { code, output } = await running.ended;
    expect([code, output.includes('"level":"error"')]).toEqual([0, false]);
  });
});

/** The status of a write on a connection of its own, or the code of the error. */
const writeAt = (url: string, key: string) =>
  new Promise<number | string>((resolve) => {
    const sent = request(`${url}/v1/devices`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    sent.on('response', (reply) => {
      reply.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.resume();
    });
    sent.end(JSON.stringify({ name: 'Door' }));
  });

describe('a shutdown under load', () => {
  // The kernel may complete a connection between the last look for one and the end of the listener, and then resets it.
  it('answers or refuses every connection that it accepted, resets none, and exits with 0 before it would be forced [service/busy-shutdown]', {
    retry: 2,
  }, async () => {
    const running = await startProcess(installed, {
      ...(await freshSettings(join(folder, 'busy'))),
      PLAN_WINDOW_MULTIPLIER: '1000',
    });
    await running.serving;
    const { key } = await signUpAt(running.url, 'busy');
    const results = new Map<number | string, number>();
    const clients = Array.from({ length: 150 }, async () => {
      for (;;) {
        const result = await writeAt(running.url, key);
        results.set(result, (results.get(result) ?? 0) + 1);
        if (result === 'ECONNREFUSED') return;
      }
    });
    await until(() => (results.get(201) ?? 0) >= 300);
    running.kill('SIGTERM');
    const { code, output } = await running.ended;
    await Promise.all(clients);
    expect(Object.fromEntries(results)).not.toHaveProperty('ECONNRESET');
    for (const result of results.keys()) expect([201, 503, 'ECONNREFUSED']).toContain(result);
    // The service measures the time itself: when it is over, the end is forced.
    expect([code, output.includes('was forced')]).toEqual([0, false]);
  });
});
