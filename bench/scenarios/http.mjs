// /v1/identity/verify end to end on PostgreSQL with everything on, compared with a plain server on the same machine in one run: 64
// connections, valid proofs, fresh nonces. Then with one invalid request in ten, from another account. Needs a build.
// BENCH_SECONDS=<n> for each measurement; BENCH_SOAK=<n> more verifications, with the memory before and after.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { size, withPostgres } from '../harness.mjs';
import { load } from '../load.mjs';
import { enroll, makePeople, verification } from '../people.mjs';
import { ADMIN, bearer, call, PLAIN, SERVICE, withServer } from '../servers.mjs';

const SECONDS = size('SECONDS', 10);
const SOAK = size('SOAK', 0);
const CONNECTIONS = 64;
const ACCOUNTS = 8;
const WARM_SECONDS = 10;

/** Warms up, then measures. Every client belongs to one account. */
async function measure(baseUrl, subjects, next = (id) => verification(subjects[id % ACCOUNTS])) {
  await load(baseUrl, { connections: CONNECTIONS, seconds: WARM_SECONDS, next });
  return load(baseUrl, { connections: CONNECTIONS, seconds: SECONDS, next });
}

/** Resident memory in MB after each tenth of the soak. */
async function soak(baseUrl, pid, subjects) {
  const samples = [];
  for (let part = 0; part <= 10; part++) {
    const rss = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
    samples.push(Math.round(rss / 1000));
    if (part === 10) break;
    let left = SOAK / 10;
    await load(baseUrl, {
      connections: CONNECTIONS,
      seconds: 3_600,
      next: (id) => (left-- > 0 ? verification(subjects[id % ACCOUNTS]) : undefined),
    });
  }
  return samples;
}

const people = await makePeople(ACCOUNTS + 1);
await withPostgres(async (postgres) => {
  const plain = await withServer(postgres, PLAIN, async (baseUrl) => {
    const subjects = [];
    for (const { did, commitment, proof } of people.slice(0, ACCOUNTS)) {
      const key = randomUUID();
      await call(baseUrl, 'POST', '/setup', {}, { key, did, commitment });
      subjects.push({ headers: bearer(key), body: { did, ...proof } });
    }
    return measure(baseUrl, subjects);
  });

  const ours = await withServer(postgres, SERVICE, async (baseUrl, pid) => {
    const subjects = [];
    for (const person of people) subjects.push(await enroll(baseUrl, person));
    const [good, health] = await Promise.all([
      measure(baseUrl, subjects),
      new Promise((resolve) => setTimeout(resolve, WARM_SECONDS * 1000)).then(() =>
        load(baseUrl, {
          connections: 1,
          seconds: SECONDS,
          pauseMs: 25,
          next: () => ({ method: 'GET', path: '/api/health', headers: {} }),
        }),
      ),
    ]);
    const bad = structuredClone(subjects[ACCOUNTS]);
    bad.body.publicSignals[2] = String(BigInt(bad.body.publicSignals[2]) ^ 1n);
    const spoiled = await measure(baseUrl, subjects, (id, n) =>
      (id + n) % 10 === 0
        ? { ...verification(bad), expected: 401, counted: false }
        : verification(subjects[id % ACCOUNTS]),
    );
    const memory = SOAK > 0 ? await soak(baseUrl, pid, subjects) : undefined;
    const chains = await call(baseUrl, 'GET', '/api/admin/audit-integrity', { 'x-api-key': ADMIN });
    if (chains.status !== 'pass')
      throw new Error(`The audit chains are not intact: ${JSON.stringify(chains)}`);
    return { good, health, spoiled, memory, checked: chains.checked };
  });

  const { good, health, spoiled } = ours;
  const ms = (value) => value.toFixed(1);
  console.log(`/v1/identity/verify on PostgreSQL, ${CONNECTIONS} connections, ${SECONDS} s each`);
  console.table([
    {
      what: 'verifications a second',
      ours: ms(good.perSecond),
      yardstick: 'plain server',
      theirs: ms(plain.perSecond),
      ratio: (good.perSecond / plain.perSecond).toFixed(2),
    },
    {
      what: 'p99, ms',
      ours: ms(good.p99),
      yardstick: 'plain server, p50',
      theirs: ms(plain.p50),
      ratio: (plain.p50 / good.p99).toFixed(2),
    },
    {
      what: 'GET /api/health at the same time, p99, ms',
      ours: ms(health.p99),
      yardstick: 'promised',
      theirs: '50',
      ratio: (50 / health.p99).toFixed(2),
    },
    {
      what: 'good ones a second, one in ten bad from another account',
      ours: ms(spoiled.perSecond),
      yardstick: 'ours without',
      theirs: ms(good.perSecond),
      ratio: (spoiled.perSecond / good.perSecond).toFixed(2),
    },
  ]);
  if (ours.memory) console.log(`Resident memory over ${SOAK} verifications, MB: ${ours.memory.join(', ')}`);
  console.log(`Every response was as expected, and the audit chains are intact over ${ours.checked} events.`);
});
process.exit(0);
