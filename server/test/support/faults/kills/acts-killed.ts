import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { registerPerson } from '../../phone.js';
import { endProcesses, freePort, freshSettings, install, type Running, startProcess } from '../../process.js';
import { seeded } from '../../seeded.js';
import type { Account, Service } from '../../service.js';
import { ACTS } from './acts.js';
import { createApp } from './app.js';

type Name = keyof typeof ACTS;

interface Outcomes {
  /** Those with a response before the kill. */
  acknowledged: number;
  /** Those that were done, without a response. */
  unheard: number;
  /** Those of which nothing was done. */
  undone: number;
}

export interface ActsReport {
  readonly kills: number;
  readonly acts: Readonly<Record<Name, Outcomes>>;
  /** From one kill to the next. */
  readonly secondsPerKill: number;
}

/** Nodes that start while others are killed. A start takes most of the time, and most of it is waiting on a busy machine. */
const SPARES = 3;
const ADMIN_KEY = 'admin-key-of-the-kills-0123456789abcdef';
const NAMES = Object.keys(ACTS) as Name[];

interface Node {
  readonly running: Running;
  readonly app: Service;
}

async function openAccount(app: Service): Promise<Account> {
  const { body } = await app.call('POST', '/api/console/signup', {
    body: {
      email: 'kills@example.com',
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    },
  });
  return { tenantId: body.tenant.id, token: body.token, key: body.apiKey.key } as Account;
}

/** What a write takes on the node now. */
async function registrationMs(app: Service, { key }: Account): Promise<number> {
  const startedAt = performance.now();
  await registerPerson(app, key);
  return performance.now() - startedAt;
}

/**
 * Kills a node in the middle of a phone's act, each kind in turn. The other node of the same database serves the phone immediately, so
 * it also meets a transaction that the killed node left behind. New nodes start at the same time.
 */
export async function checkKilledActs({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<ActsReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-kills-'));
  const installed = install();
  try {
    const settings = {
      ...(await freshSettings(join(scratch, 'data'))),
      BASE_URL: `http://127.0.0.1:${await freePort()}`,
      PLAN_WINDOW_MULTIPLIER: '1000',
      ADMIN_API_KEY: ADMIN_KEY,
      TRUST_PROXY: '127.0.0.1',
    };
    const start = async (): Promise<Node> => {
      const running = await startProcess(installed, settings);
      await running.serving;
      return { running, app: createApp(running.url) };
    };
    const spares: Promise<Node>[] = [];
    const startSpare = () => {
      const spare = start();
      // Awaited when it is needed.
      spare.catch(() => {});
      spares.push(spare);
    };
    let next = await start();
    while (spares.length < SPARES) startSpare();
    const account = await openAccount(next.app);
    const none = (): Outcomes => ({ acknowledged: 0, unheard: 0, undone: 0 });
    const acts = Object.fromEntries(NAMES.map((name) => [name, none()])) as Record<Name, Outcomes>;
    // How long after it was sent each kind is done, in registrations, by what the last kills met. So they come close to the commit.
    const doneAfter = new Map<Name, number>(NAMES.map((name) => [name, 1.5]));
    const startedAt = performance.now();
    for (let round = 0; round < kills; round += 1) {
      const name = NAMES[round % NAMES.length] as Name;
      const [victim, survivor] = [next, (await spares.shift()) as Node];
      const act = await ACTS[name](victim.app, account);
      const usual = doneAfter.get(name) as number;
      const delayMs = (await registrationMs(victim.app, account)) * usual * (0.6 + 0.8 * random.next());
      const replying = act.send(victim.app);
      await sleep(delayMs);
      victim.running.kill('SIGKILL');
      const replies = await replying;
      startSpare();
      const isDone = await act.check(survivor.app);
      const responses = replies.filter((reply) => reply !== undefined);
      const isAcknowledged = responses.some(({ status }) => status < 300);
      if (isAcknowledged) expect(isDone, `kill ${round} of ${name}`).toBe(true);
      for (const { status, text } of responses)
        expect(name === 'rotateTwice' ? [200, 401] : [200, 201], text).toContain(status);
      doneAfter.set(name, usual * (isDone ? 0.7 : 1.4));
      acts[name][isAcknowledged ? 'acknowledged' : isDone ? 'unheard' : 'undone'] += 1;
      next = survivor;
      if ((round + 1) % 20 === 0) console.log(`after ${round + 1} kills: ${JSON.stringify(acts)}`);
    }
    const secondsPerKill = Math.round((performance.now() - startedAt) / kills / 100) / 10;
    const { body } = await next.app.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body).toMatchObject({ status: 'pass', partial: false });
    for (const { running } of [next, ...(await Promise.all(spares))]) {
      running.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
    }
    return { kills, acts, secondsPerKill };
  } finally {
    endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
