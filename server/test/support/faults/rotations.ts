import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import { endProcesses, freePort, freshSettings, install, startProcess } from '../process.js';
import { seeded } from '../seeded.js';
import { proveBind, proveRotation, withNewSecret } from '../several-phones.js';

export interface RotationReport {
  readonly kills: number;
  readonly rotations: number;
  /** Those that were acknowledged before the kill. */
  readonly acknowledged: number;
  /** Those without a response whose new secret is in force. */
  readonly unheard: number;
  /** Those that left the old secret in force. */
  readonly undone: number;
}

/** Phones that rotate at the time of each kill. */
const PHONES = 3;
const ADMIN_KEY = 'admin-key-of-the-rotations-0123456789abcdef';
const clock = { clock: { now: Date.now } };

/** What the phones call. The server is another process, which is killed and started again at the same address. */
function createApp(baseUrl: string, key: string, tenantId: string) {
  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the caller reads what it expects
    return { status: reply.status, body: (await reply.json()) as any };
  }
  return {
    call,
    async verify(phone: PhoneIdentity) {
      const [nonce, timestamp] = [randomUUID(), Date.now()];
      const bind = verifyBind({ tenantId, environment: 'live', nonce, timestampMs: timestamp });
      return call('POST', '/v1/identity/verify', { ...(await proveBind(phone, bind)), nonce, timestamp });
    },
    rotation: (phone: PhoneIdentity, renewed: PhoneIdentity) =>
      proveRotation(clock, phone, renewed, { tenantId }),
    rotate: (body: object) => call('POST', '/v1/identity/rotate', body),
    isLive: async (token: string) =>
      (await call('GET', '/v1/identity/me', undefined, { 'x-session-token': token })).status === 200,
  };
}

type App = ReturnType<typeof createApp>;

/** A registered phone with a session, and the rotation that it is about to send. */
async function preparePhone(app: App) {
  const phone = createIdentity();
  const { did, commitment } = phone;
  const { userId } = (await app.call('POST', '/v1/identity/register', { did, commitment })).body;
  const session = (await app.verify(phone)).body.accessToken as string;
  const renewed = withNewSecret(phone);
  return { phone, renewed, session, userId: userId as string, body: await app.rotation(phone, renewed) };
}

/**
 * After the kill: exactly one secret is in force, with the right sessions, and the phone that repeats its rotation ends with the new
 * one. Returns whether the rotation had been done.
 */
async function checkPhone(
  app: App,
  { phone, renewed, session, userId, body }: Awaited<ReturnType<typeof preparePhone>>,
) {
  const isRenewed = (await app.verify(renewed)).status === 200;
  expect((await app.verify(phone)).status).toBe(isRenewed ? 401 : 200);
  expect(await app.isLive(session)).toBe(!isRenewed);
  // The same request again: its nonce is spent only if it was done.
  const again = await app.rotate(body);
  expect(again.status).toBe(isRenewed ? 401 : 200);
  if (!isRenewed) expect(await app.isLive(again.body.accessToken)).toBe(true);
  expect((await app.verify(renewed)).status).toBe(200);
  const { identities } = (await app.call('GET', `/v1/users/${userId}/identities`)).body;
  expect(identities).toMatchObject([{ did: phone.did, revokedAt: null, rotations: 1 }]);
  return isRenewed;
}

/**
 * After the kill, for a phone that sent two rotations with different new secrets at the same time: exactly one of its three secrets is in force,
 * which the phone finds out by proving each.
 */
async function checkTwice(app: App, secrets: readonly PhoneIdentity[]) {
  const statuses: number[] = [];
  for (const secret of secrets) statuses.push((await app.verify(secret)).status);
  expect([...statuses].sort()).toEqual([200, 401, 401]);
}

/** Kills the service while phones rotate their secrets, and checks each of them afterwards. */
export async function checkKilledRotations({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<RotationReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-rotations-'));
  const installed = install();
  try {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const env = {
      ...(await freshSettings(join(scratch, 'data'))),
      BASE_URL: baseUrl,
      PORT: String(port),
      PLAN_WINDOW_MULTIPLIER: '1000',
      ADMIN_API_KEY: ADMIN_KEY,
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const signup = await fetch(`${baseUrl}/api/console/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'rotations@example.com',
        password: 'correct horse 7 battery staple',
        companyName: 'Example',
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: only these two fields
    const { apiKey, tenant } = (await signup.json()) as any;
    const app = createApp(baseUrl, apiKey.key, tenant.id);
    // How long they take here, so that the kills are in the middle.
    const others = await Promise.all(Array.from({ length: PHONES }, () => preparePhone(app)));
    const times: number[] = [];
    for (const { body } of others) {
      const startedAt = performance.now();
      expect((await app.rotate(body)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    const usualMs = Math.min(...times);
    const report = { kills, rotations: 0, acknowledged: 0, unheard: 0, undone: 0 };
    for (let round = 0; round < kills; round += 1) {
      const phones = await Promise.all(Array.from({ length: PHONES }, () => preparePhone(app)));
      const twice = await preparePhone(app);
      const other = withNewSecret(twice.phone);
      const bodies = [twice.body, await app.rotation(twice.phone, other)];
      const rotatingTwice = bodies.map((body) => app.rotate(body).catch(() => undefined));
      const rotating = phones.map(async ({ body }, at) => {
        await sleep((at * usualMs) / PHONES);
        return app.rotate(body).catch(() => undefined);
      });
      await sleep(random.between(usualMs / 2, usualMs * 2));
      running.kill('SIGKILL');
      const first = await Promise.all(rotating);
      await Promise.all(rotatingTwice);
      await running.ended;
      running = await startProcess(installed, env);
      await running.serving;
      await checkTwice(app, [twice.phone, twice.renewed, other]);
      for (const [at, phone] of phones.entries()) {
        const isRenewed = await checkPhone(app, phone);
        if (first[at] !== undefined)
          expect([first[at].status, isRenewed], `round ${round}`).toEqual([200, true]);
        report.rotations += 1;
        if (first[at] !== undefined) report.acknowledged += 1;
        else report[isRenewed ? 'unheard' : 'undone'] += 1;
      }
    }
    const integrity = await fetch(`${baseUrl}/api/admin/audit-integrity?tenantId=${tenant.id}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(await integrity.json()).toMatchObject({ status: 'pass', partial: false });
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    return report;
  } finally {
    endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
