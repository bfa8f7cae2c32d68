import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { jobsOf } from '../../src/jobs.js';
import { freshDatabase } from '../support/database.js';
import { type Account, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  type Hook,
  LOOPBACK,
  startHook,
  stopDeliveries,
} from '../support/webhooks.js';

let service: Service;
let account: Account;
let key: string;
let hook: Hook;
let measure: () => Promise<void>;
let close: () => Promise<void>;
// A database of its own, because the oldest event of any account counts.
beforeAll(async () => {
  const { db } = await freshDatabase();
  service = await startService({ env: LOOPBACK, db });
  const jobs = jobsOf(service.app.deps, { sync: async () => {} });
  const job = jobs.find(({ name }) => name === 'webhook_lag');
  measure = async () => job?.run(new AbortController().signal);
  close = async () => {
    await stopDeliveries(service);
    await service.close();
    await db.close();
  };
});
afterAll(() => close());
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
});

/** The gauge after the job has measured it. */
async function lag(): Promise<number> {
  await measure();
  const text = await service.app.deps.metrics.read();
  return Number(/^svc_webhook_lag_seconds (.+)$/m.exec(text)?.[1]);
}

/** In the database, because a request would also start the deliveries. */
const setHookStatus = (id: string, status: string) =>
  service.db.query(sql.mutation`update webhooks set status = ${status} where id = ${id}`);

/** What was sent is recorded up to three seconds later. */
async function deliverAndRecord(): Promise<void> {
  await deliver(service);
  await deliver(service, 5_000);
}

it('svc_webhook_lag_seconds is the age of the oldest event that waits for its first attempt, and 0 once all are delivered', async () => {
  expect(await lag()).toBe(0);
  hook = await startHook();
  const { id } = await createHook(service, key, { url: hook.url });
  await deliverAndRecord();
  expect(await lag()).toBe(0);

  // Each device starts a delivery, which would be done before the measurement on a busy machine.
  await setHookStatus(id, 'paused');
  await createDevice(service, key);
  service.clock.advance(40_000);
  await createDevice(service, key);
  service.clock.advance(50_000);
  await setHookStatus(id, 'active');
  expect(await lag()).toBe(90);

  // On a busy machine, one of them can come with a later round.
  const delivered = async () => {
    await deliverAndRecord();
    return hook.types().filter((type) => type === 'device.created').length;
  };
  await expect.poll(delivered).toBe(2);
  expect(await lag()).toBe(0);
  await hook.stop();
});

it('svc_webhook_lag_seconds counts no receiver that fails, no paused webhook and no suspended account, because those wait as intended', async () => {
  hook = await startHook(() => 500);
  const failing = await createHook(service, key, { url: hook.url, ordered: true });
  await createDevice(service, key);
  await deliverAndRecord();
  expect(hook.received.length).toBeGreaterThan(0);
  await createDevice(service, key);
  service.clock.advance(90_000);
  expect(await lag()).toBe(0);
  await service.call('DELETE', `/v1/webhooks/${failing.id}`, { as: key });

  const paused = await createHook(service, key, { url: hook.url });
  await service.call('PATCH', `/v1/webhooks/${paused.id}`, { as: key, body: { status: 'paused' } });
  await createDevice(service, key);
  service.clock.advance(90_000);
  expect(await lag()).toBe(0);
  await setHookStatus(paused.id, 'active');
  service.clock.advance(90_000);
  expect(await lag()).toBeGreaterThanOrEqual(90);

  await service.setStatus(account, 'suspended');
  expect(await lag()).toBe(0);
  await hook.stop();
});
