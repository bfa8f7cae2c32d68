import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { openPostgres } from '../../../src/db/pg.js';
import { sql } from '../../../src/db/sql.js';
import { endProcesses, freshSettings, install, type Running, startProcess } from '../process.js';
import { seeded } from '../seeded.js';
import { LOOPBACK, startHook } from '../webhooks.js';

/** Deliveries of a webhook that a kill may repeat: those whose result was not recorded. */
const MAX_REPEATED = 64;

export interface DeliveryReport {
  readonly kills: number;
  readonly events: number;
  readonly requests: number;
  /** The most deliveries that one kill repeated. */
  readonly repeated: number;
}

/** A receiver that rejects the first request of some events, and needs a moment for the others, so that a kill meets some on their way. */
async function startSlowHook(isRejected: (seq: number) => boolean) {
  const rejected = new Set<number>();
  const accepted = new Set<number>();
  /** Since the last kill, requests of events that had been accepted. */
  let repeated = 0;
  const hook = await startHook(({ body: { data } }) => {
    if (accepted.has(data.seq)) repeated += 1;
    if (!rejected.has(data.seq) && isRejected(data.seq)) {
      rejected.add(data.seq);
      return 500;
    }
    accepted.add(data.seq);
    return (response) => void setTimeout(() => response.writeHead(204).end(), 5);
  });
  return {
    ...hook,
    accepted,
    takeRepeated() {
      const count = repeated;
      repeated = 0;
      return count;
    },
  };
}

/** What a node that died has claimed is free, as it is after 20 seconds. An embedded database frees it when it is opened. */
async function endLeases(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const db = openPostgres({ url, connections: 1 });
  await db.query(sql.mutation`update webhooks set lease_id = null, lease_until = null`);
  await db.close();
}

/** An account with a key for events, and a webhook at each URL. Returns the key and the position before the first event. */
async function createHooks(
  api: ReturnType<typeof client>,
  hooks: readonly { url: string; ordered: boolean }[],
) {
  const { token } = (
    await api('POST', '/api/console/signup', undefined, {
      email: 'deliveries@example.com',
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    })
  ).body;
  const key: string = (
    await api('POST', '/api/console/keys', token, {
      name: 'Events',
      environment: 'live',
      scopes: ['events:read', 'webhooks:write', 'devices:write'],
    })
  ).body.apiKey.key;
  const since: number = (await api('GET', '/v1/events', key)).body.next;
  for (const hook of hooks) await api('POST', '/v1/webhooks', key, { ...hook, events: ['device.*'], since });
  return { key, since };
}

/** The `webhook-id` of each event of the feed. */
async function listIds(api: ReturnType<typeof client>, key: string, since: number) {
  const ids = new Map<number, string>();
  for (let after = since; ; ) {
    const { events, next } = (await api('GET', `/v1/events?after=${after}&types=device.*`, key)).body;
    for (const event of events) ids.set(event.seq, `evt_${event.id}`);
    if (next === after) return ids;
    after = next;
  }
}

/**
 * Kills the service while it delivers to a webhook with order and to one without. Checks that every event of the feed arrived, each with
 * one id, that a kill repeats at most 64 of them, and that the order was kept.
 */
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
  const unordered = await startSlowHook((seq) => seq % 7 === 3);
  // Each one that fails holds up the others for five seconds.
  const ordered = await startSlowHook((seq) => seq % 150 === 3);
  let most = 0;
  const countRepeated = () => {
    most = Math.max(most, unordered.takeRepeated());
    expect(most).toBeLessThanOrEqual(MAX_REPEATED);
    expect(ordered.takeRepeated()).toBeLessThanOrEqual(1);
  };
  try {
    const env: Record<string, string> = {
      ...(await freshSettings(join(scratch, 'data'))),
      ...LOOPBACK,
      PLAN_WINDOW_MULTIPLIER: '1000',
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const api = client(() => running);
    const { key, since } = await createHooks(api, [
      { url: unordered.url, ordered: false },
      { url: ordered.url, ordered: true },
    ]);
    for (let round = 0; round < kills; round += 1) {
      const enough = unordered.received.length + random.between(2, 80);
      let isKilled = false;
      const load = Array.from({ length: 4 }, async () => {
        while (!isKilled) await api('POST', '/v1/devices', key, { name: 'Gate' }).catch(() => undefined);
      });
      await expect
        .poll(() => unordered.received.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThanOrEqual(enough);
      await delay(random.between(0, 50));
      isKilled = true;
      running.kill('SIGKILL');
      await Promise.all(load);
      await running.ended;
      countRepeated();
      await endLeases(env.DATABASE_URL);
      running = await startProcess(installed, env);
      await running.serving;
    }
    await api('POST', '/v1/devices', key, { name: 'The last gate' });
    const ids = await listIds(api, key, since);
    for (const hook of [unordered, ordered]) {
      await expect
        .poll(() => [...ids.keys()].filter((seq) => !hook.accepted.has(seq)), { timeout: 120_000 })
        .toEqual([]);
      for (const { headers, body } of hook.received)
        expect(headers['webhook-id']).toBe(ids.get(body.data.seq));
    }
    countRepeated();
    expect(ordered.seqs()).toEqual(ordered.seqs().toSorted((left, right) => left - right));
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    const requests = unordered.received.length + ordered.received.length;
    return { kills, events: ids.size, requests, repeated: most };
  } finally {
    endProcesses();
    await unordered.stop();
    await ordered.stop();
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
