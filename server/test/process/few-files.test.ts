// @module-tag if-touched @core server/src/features/health/ scripts/: starts and ends processes
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { callAt, signUpAt } from '../support/faults/remote.js';
import { CLIENTS, WEB } from '../support/oidc-clients.js';
import { endProcesses, freshSettings, type Installation, install, startProcess } from '../support/process.js';

let installed: Installation;
let folder: string;
beforeAll(() => {
  installed = install();
  folder = mkdtempSync(join(tmpdir(), 'svc-few-files-'));
});
afterAll(() => {
  endProcesses();
  installed.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('the built server', () => {
  it('starts, serves and ends under `ulimit -n 256` [service/few-files]', async () => {
    const running = await startProcess(
      installed,
      { ...(await freshSettings(join(folder, 'data'))), ENABLE_DEMO_AUTH: 'true' },
      { openFiles: 256 },
    );
    await running.serving;
    const limits = readFileSync(`/proc/${running.pid}/limits`, 'utf8');
    expect(limits).toMatch(/^Max open files\s+256\s/m);
    const { key, token, tenantId } = await signUpAt(running.url, `few-files-${databaseKind}`);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        callAt(running.url, 'POST', '/v1/devices', { as: key, body: { name: 'Door' } }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    // Parts that are loaded when they are needed, and files that are found by their place.
    const client = await callAt(running.url, 'POST', `${CLIENTS}?environment=test`, {
      as: token,
      body: WEB,
    });
    expect(client.status).toBe(201);
    const issuer = `/oidc/${tenantId}/test`;
    expect((await callAt(running.url, 'GET', `${issuer}/jwks`)).status).toBe(200);
    // The library's models are found by the names of their classes.
    const form =
      'grant_type=authorization_code&code=none&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback';
    const exchanged = await fetch(`${running.url}${issuer}/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa(`${client.body.client.clientId}:${client.body.clientSecret}`)}`,
      },
      body: form,
    });
    expect([exchanged.status, ((await exchanged.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ]);
    expect((await callAt(running.url, 'GET', '/v1/auth/zkp/circuit-info', { as: key })).status).toBe(200);
    expect(readdirSync(`/proc/${running.pid}/fd`).length).toBeLessThan(256);
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('names the lines of its sources in stack traces [service/few-files]', async () => {
    const own = install();
    try {
      writeFileSync(join(own.folder, 'server', 'migrations', '9999_division.sql'), 'select 1/0;');
      const running = await startProcess(own, await freshSettings(join(folder, 'traces')));
      const { code, output } = await running.ended;
      expect(code).toBe(1);
      expect(output).toMatch(/division by zero.*\n {4}at .*server\/src\/db\/migrate\.ts:\d+:\d+/s);
    } finally {
      own.remove();
    }
  });
});
