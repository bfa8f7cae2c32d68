// Exporting and erasing a person with many events, and how long other writes of the account wait during the erasure. Needs a build.
// BENCH_EVENTS=<n> events of the person.
import pg from 'pg';
import { median, size, withService } from '../harness.mjs';
import { open } from '../load.mjs';
import { bearer, call, signUp } from '../servers.mjs';

const EVENTS = size('EVENTS', 10_000);
const PROMISED_MS = 1_000;
const PROMISED_EVENTS_A_SECOND = 20_000;

/** Half verifications and half attendance events, each with text. */
async function addEvents(client, tenantId, userId) {
  const half = EVENTS / 2;
  await client.query(
    `insert into verifications (tenant_id, environment, id, method, result, user_id, reason, reference_id, metadata, occurred_at, created_at)
    select $1, 'live', gen_random_uuid(), 'manual', 'pass', $2, 'reason ' || n, 'reference ' || n, '{"note":"text"}', now() - n * interval '1 second', now()
    from generate_series(1, ${half}) n`,
    [tenantId, userId],
  );
  await client.query(
    `insert into attendance (tenant_id, environment, id, user_id, type, result, metadata, occurred_at, created_at)
    select $1, 'live', gen_random_uuid(), $2, 'check_in', 'accepted', '{"note":"text"}', now() - n * interval '1 second', now()
    from generate_series(1, ${half}) n`,
    [tenantId, userId],
  );
  await client.query('analyze verifications, attendance');
}

/** The longest of the account's other writes, one after another, while something runs. */
async function longestDuring(baseUrl, headers, work) {
  const client = await open(baseUrl);
  const body = { method: 'manual', result: 'pass' };
  let isRunning = true;
  const working = work().finally(() => {
    isRunning = false;
  });
  let longest = 0;
  while (isRunning) {
    const sent = performance.now();
    await client.send({ path: '/v1/verifications', headers, body });
    longest = Math.max(longest, performance.now() - sent);
  }
  client.close();
  return { longest, result: await working };
}

async function exportWhole(baseUrl, headers, userId) {
  const began = performance.now();
  const reply = await fetch(`${baseUrl}/v1/users/${userId}/export`, { headers });
  const text = await reply.text();
  const ms = performance.now() - began;
  const { verifications, attendance } = JSON.parse(text);
  if (verifications.length + attendance.length !== EVENTS) throw new Error('The export is not whole.');
  return { ms, megabytes: text.length / 1e6 };
}

async function measure(baseUrl, client) {
  const { token, tenant, apiKey } = await signUp(baseUrl);
  const headers = bearer(apiKey.key);
  const wanted = { name: 'Eraser', environment: 'live', scopes: ['users:erase'] };
  const { apiKey: eraser } = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), wanted);
  const times = { erase: [], longest: [], export: [] };
  for (let n = 0; n < 5; n += 1) {
    const { user } = await call(baseUrl, 'POST', '/v1/users', headers, { fullName: 'Ada' });
    await addEvents(client, tenant.id, user.id);
    times.export.push(await exportWhole(baseUrl, headers, user.id));
    const { longest, result } = await longestDuring(baseUrl, headers, async () => {
      const began = performance.now();
      await call(baseUrl, 'POST', `/v1/users/${user.id}/erase`, bearer(eraser.key), {});
      return performance.now() - began;
    });
    times.erase.push(result);
    times.longest.push(longest);
  }
  return times;
}

const times = await withService(async (baseUrl, _, connectionString) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await measure(baseUrl, client);
  } finally {
    await client.end();
  }
});
const erase = median(times.erase);
const rate = EVENTS / (median(times.export.map(({ ms }) => ms)) / 1000);
console.log(`A person with ${EVENTS} events, medians of five`);
console.log(`  erased in                ${erase.toFixed(0)} ms`);
console.log(`  longest write beside it  ${median(times.longest).toFixed(0)} ms`);
console.log(`  exported                 ${Math.round(rate)} events a second`);
if (erase > PROMISED_MS * (EVENTS / 10_000) || rate < PROMISED_EVENTS_A_SECOND) process.exitCode = 1;
