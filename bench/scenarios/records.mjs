// Writing and listing verification events on PostgreSQL, compared with a plain server in one run: 32 connections, one account and
// many; then the list, the audit chain's append and its integrity check as the tables grow. Needs a build. BENCH_SECONDS=<n> for
// each measurement, BENCH_ROWS=<n> for the large table.
import { randomUUID } from 'node:crypto';
import { grow } from '../databases/grow.mjs';
import { listEvents, postEvent, row, size, withPostgres } from '../harness.mjs';
import { load } from '../load.mjs';
import { ADMIN, bearer, call, PLAIN, SERVICE, signUp, withServer } from '../servers.mjs';

const SECONDS = size('SECONDS', 10);
const ROWS = size('ROWS', 1_000_000);
const CONNECTIONS = 32;
const ACCOUNTS = 32;
const WARM_SECONDS = 3;

async function measure(baseUrl, next) {
  await load(baseUrl, { connections: CONNECTIONS, seconds: WARM_SECONDS, next });
  return load(baseUrl, { connections: CONNECTIONS, seconds: SECONDS, next });
}

/** First one account, then all, then the first account's list, which has thousands of events by then. */
async function measureAll(baseUrl, accounts) {
  const one = await measure(baseUrl, () => postEvent(accounts[0]));
  const many = await measure(baseUrl, (id) => postEvent(accounts[id % ACCOUNTS]));
  const page = await measure(baseUrl, () => listEvents(accounts[0]));
  return { one, many, page };
}

const integrity = (baseUrl, tenantId) =>
  call(baseUrl, 'GET', `/api/admin/audit-integrity?tenantId=${tenantId}`, { 'x-api-key': ADMIN });

await withPostgres(async (postgres) => {
  const plain = await withServer(postgres, PLAIN, async (baseUrl) => {
    const accounts = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      const key = randomUUID();
      await call(baseUrl, 'POST', '/setup', {}, { key });
      accounts.push(bearer(key));
    }
    return measureAll(baseUrl, accounts);
  });

  const ours = await withServer(postgres, SERVICE, async (baseUrl, _pid, databaseUrl) => {
    const accounts = [];
    for (let n = 0; n < ACCOUNTS + 1; n++) {
      const { apiKey, tenant } = await signUp(baseUrl);
      accounts.push({ headers: bearer(apiKey.key), tenantId: tenant.id });
    }
    const first = await measureAll(
      baseUrl,
      accounts.map(({ headers }) => headers),
    );
    const { headers, tenantId } = accounts[ACCOUNTS];
    const grown = [];
    for (const rows of [1_000, ROWS]) {
      await grow(databaseUrl, tenantId, rows);
      const page = await measure(baseUrl, () => listEvents(headers));
      const append = await measure(baseUrl, () => postEvent(headers));
      grown.push({ rows, page, append });
    }
    const started = performance.now();
    const [report, during] = await Promise.all([
      integrity(baseUrl, tenantId).then((answer) => ({ ...answer, ms: performance.now() - started })),
      load(baseUrl, { connections: 1, seconds: 2, next: () => postEvent(headers) }),
    ]);
    if (report.status !== 'pass') throw new Error(`The audit chain is not intact: ${JSON.stringify(report)}`);
    for (const account of accounts.slice(0, ACCOUNTS)) {
      const { status } = await integrity(baseUrl, account.tenantId);
      if (status !== 'pass') throw new Error('An audit chain is not intact.');
    }
    return { first, grown, report, during };
  });

  const { first, grown, report, during } = ours;
  const [small, large] = grown;
  console.log(`Verification events on PostgreSQL, ${CONNECTIONS} connections, ${SECONDS} s each`);
  console.table([
    row(
      'POST /v1/verifications a second, one account',
      first.one.perSecond,
      'plain server',
      plain.one.perSecond,
    ),
    row(`the same, ${ACCOUNTS} accounts`, first.many.perSecond, 'plain server', plain.many.perSecond),
    row(
      'GET /v1/verifications?limit=50 a second',
      first.page.perSecond,
      'plain server',
      plain.page.perSecond,
    ),
    row(`the same, ${ROWS} rows`, large.page.perSecond, 'ours with 1000 rows', small.page.perSecond),
    row(
      `POST, chain of ${ROWS}`,
      large.append.perSecond,
      'ours with a chain of 1000',
      small.append.perSecond,
    ),
    row('audit integrity, rows a second', report.checked / (report.ms / 1000), 'promised', 200_000),
    row('POST p99 at the same time, ms', during.p99, 'promised', 50),
  ]);
});
process.exit(0);
