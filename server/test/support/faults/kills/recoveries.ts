import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBind } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import { completeBody, phone } from '../../ceremony.js';
import { endProcesses, freePort, freshSettings, install, startProcess } from '../../process.js';
import { beforeProof } from '../../recoveries.js';
import { seeded } from '../../seeded.js';
import type { Service } from '../../service.js';
import { proveBind } from '../../several-phones.js';
import { createApp } from './app.js';

export interface RecoveryReport {
  readonly kills: number;
  readonly recoveries: number;
  /** Those that were completed before the kill. */
  readonly before: number;
}

/** People whose recoveries are due at the time of each kill. */
const PEOPLE = 6;
const ADMIN_KEY = 'admin-key-of-the-recoveries-0123456789abcdef';

/** A new account without a cool-down, and its key. */
async function openAccount(app: Service) {
  const { body } = await app.call('POST', '/api/console/signup', {
    body: {
      email: 'recoveries@example.com',
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    },
  });
  const { token, tenant } = body;
  const security_policy = { protect_identities: true, recovery_cooldown_hours: 0 };
  await app.call('PUT', '/api/console/security-policy', { as: token, body: { security_policy } });
  const scopes = [
    'users:write',
    'users:read',
    'users:recover',
    'zkp:register',
    'zkp:verify',
    'identity:read',
  ];
  const created = await app.call('POST', '/api/console/keys', {
    as: token,
    body: { name: 'Desk', environment: 'live', scopes },
  });
  return { tenantId: tenant.id as string, key: created.body.apiKey.key as string };
}

type Desk = Awaited<ReturnType<typeof openAccount>>;

async function verify(app: Service, { tenantId, key }: Desk, phone: PhoneIdentity) {
  const [nonce, timestamp] = [randomUUID(), Date.now()];
  const bind = verifyBind({ tenantId, environment: 'live', nonce, timestampMs: timestamp });
  const body = { ...(await proveBind(phone, bind)), nonce, timestamp };
  return app.call('POST', '/v1/identity/verify', { as: key, body });
}

/** Somebody with a session on a phone, and a new phone that is about to open their recovery. */
async function prepare(app: Service, desk: Desk) {
  const { tenantId, key } = desk;
  const old = createIdentity();
  const { did, commitment } = old;
  const { userId } = (await app.call('POST', '/v1/identity/register', { as: key, body: { did, commitment } }))
    .body;
  const session = (await verify(app, desk, old)).body.accessToken as string;
  const account = { tenantId, key } as Parameters<typeof beforeProof>[1];
  const c = await beforeProof(app, account, userId, { as: key });
  return { old, renewed: c.identity, session, userId, id: c.id, body: await completeBody(c) };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

const completedOf = async (app: Service, { key }: Desk): Promise<ReadonlySet<string>> => {
  const { body } = await app.call('GET', '/v1/recoveries?state=completed&limit=100', { as: key });
  return new Set(body.recoveries.map(({ id }: { id: string }) => id));
};

/** After the kill: exactly one of both phones works. The job may complete the recovery between the requests. */
async function checkOneWorks(app: Service, desk: Desk, { old, renewed }: Prepared): Promise<void> {
  const isRenewed = (await verify(app, desk, renewed)).status === 200;
  const isOld = (await verify(app, desk, old)).status === 200;
  if (isRenewed) expect(isOld).toBe(false);
  else if (!isOld) expect((await verify(app, desk, renewed)).status).toBe(200);
}

/** In the end the recovery is completed, and nothing of the old phone works. */
async function checkCompleted(app: Service, desk: Desk, { old, renewed, session, userId }: Prepared) {
  expect((await verify(app, desk, renewed)).status).toBe(200);
  expect((await verify(app, desk, old)).status).toBe(401);
  const me = { as: desk.key, headers: { 'x-session-token': session } };
  expect((await app.call('GET', '/v1/identity/me', me)).status).toBe(401);
  const { identities } = (await app.call('GET', `/v1/users/${userId}/identities`, { as: desk.key })).body;
  expect(identities).toMatchObject([
    { did: renewed.did, revokedAt: null },
    { did: old.did, revokedAt: expect.any(String) },
  ]);
}

/** Kills the service while the job completes recoveries, and checks each person afterwards. */
export async function checkKilledRecoveries({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<RecoveryReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-recoveries-'));
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
      TRUST_PROXY: '127.0.0.1',
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const app = createApp(baseUrl);
    const desk = await openAccount(app);
    const report = { kills, recoveries: 0, before: 0 };
    for (let round = 0; round < kills; round += 1) {
      const people: Prepared[] = [];
      while (people.length < PEOPLE) people.push(await prepare(app, desk));
      // All are opened together, so that one run of the job completes them.
      for (const reply of await Promise.all(people.map(({ body }) => phone(app, 'complete', body))))
        expect(reply.body.state).toBe('pending_recovery');
      const { id: first } = people.at(random.between(0, PEOPLE / 2)) as Prepared;
      while (!(await completedOf(app, desk)).has(first)) await sleep(5);
      const before = await completedOf(app, desk);
      running.kill('SIGKILL');
      await running.ended;
      running = await startProcess(installed, env);
      await running.serving;
      for (const person of people) {
        await checkOneWorks(app, desk, person);
        report.recoveries += 1;
        if (before.has(person.id)) report.before += 1;
      }
      for (const { id } of people) while (!(await completedOf(app, desk)).has(id)) await sleep(100);
      for (const person of people) await checkCompleted(app, desk, person);
    }
    const integrity = await app.call('GET', `/api/admin/audit-integrity?tenantId=${desk.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(integrity.body).toMatchObject({ status: 'pass', partial: false });
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    return report;
  } finally {
    endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
