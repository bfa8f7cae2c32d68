import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { didHash } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import { type DatabaseKind, emptyDatabase } from '../database.js';
import { endProcesses, install, type Running, startProcess } from '../process.js';
import { type Seeded, seeded } from '../seeded.js';
import { ADMIN_KEY, realProver } from '../service.js';
import { Client, type Fact, Journal, type Party, takeSnapshot } from './crash-load.js';

const PARTIES = 4;
const CLIENTS_EACH = 4;
/** No proofs are generated for the last writes before a kill, so that requests are in flight. */
const WRITES_WITHOUT_PROVING = 30;
const WRONG_CODES = 60;

export interface CrashPlan {
  readonly kind: DatabaseKind;
  readonly kills: number;
  /** The number of acknowledged writes between a start and its kill. */
  readonly between: readonly [min: number, max: number];
  readonly seed: number;
}

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly withoutResponse: number;
  readonly events: number;
  /** The duration of each start after a kill. */
  readonly startMs: readonly number[];
}

/** Kills the service repeatedly under a load of mixed writes, and checks every acknowledged write after each start. */
export async function checkCrashes({ kind, kills, between, seed }: CrashPlan): Promise<CrashReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-crash-'));
  const installed = install();
  const journal = new Journal();
  const startMs: number[] = [];
  try {
    const env = await settings(kind, join(scratch, 'data'));
    let running = await start(installed, env, journal);
    const parties = [];
    for (let number = 0; number < PARTIES; number += 1) parties.push(await createParty(journal, number));
    let mayProve = true;
    const clients = parties.map((party, number) =>
      Array.from(
        { length: CLIENTS_EACH },
        (_, at) =>
          new Client(
            journal,
            party,
            `${number}-${at}`,
            seeded(random.between(0, 2 ** 31)),
            () => mayProve && random.chance(0.4),
          ),
      ),
    );
    for (let round = 1; round <= kills; round += 1) {
      let left = random.between(...between);
      const delayMs = random.between(0, 10);
      mayProve = true;
      journal.onAcknowledged = () => {
        left -= 1;
        mayProve = left > WRITES_WITHOUT_PROVING;
        if (left === 0) setTimeout(() => kill(running, journal), delayMs);
      };
      await Promise.all(clients.flat().map((client) => client.work()));
      journal.onAcknowledged = () => {};
      expect((await running.ended).signal).toBe('SIGKILL');
      expect(journal.lost, 'no request was in flight').toBeGreaterThan(0);

      const before = performance.now();
      running = await start(installed, env, journal);
      startMs.push(Math.round(performance.now() - before));
      await Promise.all(clients.flat().map((client) => client.retryUrgent()));
      for (const [at, party] of parties.entries()) {
        const now = await takeSnapshot(journal, party);
        const facts = (clients[at] as Client[]).map((client) => client.takeFacts());
        await Promise.all(
          facts.map(async (own) => {
            for (const fact of affordable(own, random, WRONG_CODES / (PARTIES * CLIENTS_EACH))) {
              await fact.check(now);
            }
          }),
        );
      }
      await checkChains(journal);
    }
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    const { acknowledged, withoutResponse, events } = journal;
    return { kills, acknowledged, withoutResponse, events: events.min, startMs };
  } finally {
    endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Limits the wrong codes of a client, so that they do not raise the code-guessing guard. */
export function affordable(facts: readonly Fact[], random: Seeded, max: number): Fact[] {
  const wrong = random.sample(
    facts.filter(({ isWrongCode }) => isWrongCode),
    Math.floor(max),
  );
  return facts.filter((fact) => !fact.isWrongCode || wrong.includes(fact));
}

async function settings(kind: DatabaseKind, folder: string): Promise<Record<string, string>> {
  const common = {
    DATA_DIR: folder,
    ADMIN_API_KEY: ADMIN_KEY,
    DEFAULT_PLAN: 'enterprise',
    PLAN_WINDOW_MULTIPLIER: '1000',
    TRUST_PROXY: '127.0.0.1',
  };
  if (kind === 'pglite') return common;
  const { db, url } = await emptyDatabase('postgres');
  await db.close();
  return { ...common, DATABASE_URL: url as string, SVC_SECRET: 'the secret of the crash tests, long enough' };
}

async function start(
  installed: ReturnType<typeof install>,
  env: Record<string, string>,
  journal: Journal,
): Promise<Running> {
  const running = await startProcess(installed, env);
  await running.serving;
  Object.assign(journal, { urls: [running.url], killed: false, lost: 0 });
  return running;
}

function kill(running: Running, journal: Journal): void {
  journal.killed = true;
  running.kill('SIGKILL');
}

/** Creates an account with one person whose unbound proof can be reused. */
export async function createParty(journal: Journal, number: number): Promise<Party> {
  const signup = {
    email: `owner-${number}@example.com`,
    password: 'correct horse 7 battery staple',
    companyName: 'Example',
  };
  const created = await journal.write('POST', '/api/console/signup', { body: signup, events: { 201: 2 } });
  const { token, tenant, apiKey } = created.body;
  await journal.write('PUT', '/api/console/security-policy', {
    as: token,
    body: { security_policy: { allow_unbound_proofs: true } },
    events: { 200: 1 },
  });
  const identity = createIdentity();
  const { did, commitment, biometricSecret, salt } = identity;
  const registered = await journal.write('POST', '/v1/identity/register', {
    as: apiKey.key,
    body: { did, commitment },
    events: { 201: 1 },
  });
  const proof = await (await realProver()).prove({ biometricSecret, salt, didHash: didHash(did) });
  const person = { ...identity, userId: registered.body.userId };
  return { tenantId: tenant.id, token, key: apiKey.key, person, proof };
}

/** Expects intact audit chains, with an event for every acknowledged write and none beyond the requested writes. */
export async function checkChains({ urls: [url], events }: Journal): Promise<void> {
  const reply = await fetch(`${url}/api/admin/audit-integrity`, { headers: { 'x-api-key': ADMIN_KEY } });
  const { status, partial, checked, chains } = (await reply.json()) as {
    status: string;
    partial: boolean;
    checked: number;
    chains: { length: number }[];
  };
  expect([reply.status, status, partial]).toEqual([200, 'pass', false]);
  expect(chains.reduce((sum, { length }) => sum + length, 0)).toBe(checked);
  expect(checked).toBeGreaterThanOrEqual(events.min);
  expect(checked).toBeLessThanOrEqual(events.max);
  Object.assign(events, { min: checked, max: checked });
}
