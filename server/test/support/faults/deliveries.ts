import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { endProcesses, freshSettings, install, type Running, startProcess } from '../process.js';
import { seeded } from '../seeded.js';
import { LOOPBACK, startHook } from '../webhooks.js';

export interface DeliveryReport {
  readonly kills: number;
  readonly events: number;
  readonly requests: number;
}

/** Kills the service while it delivers, and checks that every event of the feed arrived, each with one id. */
export async function checkKilledDeliveries({
  kills,
  seed,
}: {
  kills: number;
  seed: number;
}): Promise<DeliveryReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-deliveries-'));
  const installed = install();
  const rejected = new Set<number>();
  /** Rejects the first request of every seventh event. */
  const hook = await startHook(({ body: { data } }) => {
    if (data.seq % 7 !== 3 || rejected.has(data.seq)) return 204;
    rejected.add(data.seq);
    return 500;
  });
  try {
    const env = {
      ...(await freshSettings(join(scratch, 'data'))),
      ...LOOPBACK,
      PLAN_WINDOW_MULTIPLIER: '1000',
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const api = client(() => running);
    const { apiKey, token } = (
      await api('POST', '/api/console/signup', undefined, {
        email: 'deliveries@example.com',
        password: 'correct horse 7 battery staple',
        companyName: 'Example',
      })
    ).body;
    const key = (
      await api('POST', '/api/console/keys', token, {
        name: 'Events',
        environment: 'live',
        scopes: ['events:read', 'webhooks:write', 'devices:write'],
      })
    ).body.apiKey.key;
    expect(apiKey).toBeDefined();
    const since = (await api('GET', '/v1/events', key)).body.next;
    await api('POST', '/v1/webhooks', key, { url: hook.url, events: ['device.*'], since });
    for (let round = 0; round < kills; round += 1) {
      const enough = random.between(2, 40);
      let accepted = 0;
      let isKilled = false;
      const load = Array.from({ length: 4 }, async () => {
        while (!isKilled) {
          const reply = await api('POST', '/v1/devices', key, { name: 'Gate' }).catch(() => undefined);
          if (reply?.status === 201) accepted += 1;
        }
      });
      await expect.poll(() => accepted, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(enough);
      await delay(random.between(0, 100));
      isKilled = true;
      running.kill('SIGKILL');
      await Promise.all(load);
      await running.ended;
      running = await startProcess(installed, env);
      await running.serving;
    }
    await api('POST', '/v1/devices', key, { name: 'The last gate' });
    const ids = new Map<number, string>();
    for (let after = since; ; ) {
      const { events, next } = (await api('GET', `/v1/events?after=${after}&types=device.*`, key)).body;
      for (const event of events) ids.set(event.seq, `evt_${event.id}`);
      if (next === after) break;
      after = next;
    }
    const isAccepted = (seq: number) =>
      hook.seqs().filter((arrived) => arrived === seq).length > (rejected.has(seq) ? 1 : 0);
    await expect
      .poll(() => [...ids.keys()].filter((seq) => !isAccepted(seq)), { timeout: 60_000 })
      .toEqual([]);
    for (const { headers, body } of hook.received) expect(headers['webhook-id']).toBe(ids.get(body.data.seq));
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    return { kills, events: ids.size, requests: hook.received.length };
  } finally {
    endProcesses();
    await hook.stop();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const client =
  (running: () => Running) => async (method: string, path: string, key?: string, body?: object) => {
    const reply = await fetch(`${running().url}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the caller reads what it expects
    return { status: reply.status, body: (await reply.json()) as any };
  };
