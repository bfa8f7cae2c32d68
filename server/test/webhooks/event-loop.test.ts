// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type Account, type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  type Hook,
  LOOPBACK,
  pauseAll,
  startHook,
  stopDeliveries,
} from '../support/webhooks.js';

let service: Service;
let account: Account;
let key: string;
let hook: Hook;
let reject: (error: Error) => void = () => {};
beforeAll(async () => {
  service = await startService({ env: LOOPBACK, resolveHost: async () => ['10.1.2.3'] });
  // Those that other files have left in the database.
  await pauseAll(service);
  watch();
});
afterAll(async () => {
  await stopDeliveries(service);
  await service.close();
});
afterEach(async () => {
  await hook.stop();
  await pauseAll(service);
});
async function begin(answer: Hook['answer'], body: object = {}) {
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
  hook = await startHook(answer);
  return createHook(service, key, { url: hook.url, events: ['device.*'], ...body });
}

/** Breaks a loop that never lets the event loop turn, because then no timer of the test would ever run. */
function watch(): void {
  const { clock } = service;
  const now = clock.now.bind(clock);
  let calls = 0;
  setInterval(() => {
    calls = 0;
  }, 5).unref();
  clock.now = () => {
    calls += 1;
    if (calls <= 100_000) return now();
    calls = 0;
    const error = new Error('100,000 rounds within one turn of the event loop');
    reject(error);
    throw error;
  };
}
const guarded = (work: Promise<unknown>) =>
  Promise.race([
    work,
    new Promise((_, fail) => {
      reject = fail;
    }),
  ]);
const replay = (id: string, fromSeq: number | undefined) =>
  service.call('POST', `/v1/webhooks/${id}/replay`, { as: key, body: { fromSeq } });

it('ordered: a replay whose first event fails leaves the event loop alone', async () => {
  const { id } = await begin(() => 200, { ordered: true });
  await createDevice(service, key);
  await deliver(service);
  await deliver(service, 2_500);
  hook.answer = () => 500;
  expect((await replay(id, hook.seqs()[0])).status).toBe(202);
  await guarded(deliver(service));
  expect(hook.received.length).toBe(2);
});

it('unordered: a replay that reaches the limit of retries leaves the event loop alone', async () => {
  const { id } = await begin(() => 200);
  await createDevice(service, key);
  await createDevice(service, key);
  await deliver(service);
  await deliver(service, 2_500);
  await service.db.query(sql.mutation`insert into webhook_retries (tenant_id, environment, webhook_id, event_id, seq,
      is_replay, attempts, first_at, next_at)
    select tenant_id, environment, id, gen_random_uuid(), 1, false, 5, ${new Date(service.clock.now())},
      ${new Date(service.clock.now() + 3_600_000)}
    from webhooks, generate_series(1, 999) where id = ${id}`);
  hook.answer = () => 500;
  expect((await replay(id, hook.seqs()[0])).status).toBe(202);
  await guarded(deliver(service));
  expect(hook.received.length).toBe(4);
});
