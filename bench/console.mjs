// Routes of the dashboard, this checkout and another built one (BENCH_OLD=<folder>) in turns: reading with a console token, a write, and
// logging in. BENCH_SECONDS=<n> of a round, BENCH_ROUNDS=<n>, BENCH_ONLY=<part of a route>. Needs a build of both.
import { resolve } from 'node:path';
import { openPostgres } from '../scripts/testing/test-databases.mjs';
import { load } from './load.mjs';
import { bearer, call, SERVICE, signUp, startServer, withDatabase } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const ONLY = process.env.BENCH_ONLY ?? '';
const CONNECTIONS = 8;

const old = process.env.BENCH_OLD;
if (old === undefined) throw new Error('Set BENCH_OLD to the folder of another built checkout.');
const servers = [
  { ...SERVICE, name: 'old', file: resolve(old, 'server/dist/bin/serve.js') },
  { ...SERVICE, name: 'new' },
];

const requests = (token, login, deviceId) => {
  const headers = bearer(token);
  const path = `/api/console/devices/${deviceId}`;
  let calls = 0;
  // The limit of an address is for guesses, so each log-in comes from its own.
  const address = () => ({
    'x-forwarded-for': `10.${(++calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
  });
  return {
    'GET account': () => ({ method: 'GET', path: '/api/console/account', headers }),
    'GET keys': () => ({ method: 'GET', path: '/api/console/keys', headers }),
    'GET audit': () => ({ method: 'GET', path: '/api/console/audit', headers }),
    'PATCH device': () => ({ method: 'PATCH', path, headers, body: { name: 'Door' } }),
    'POST login': () => ({ path: '/api/console/login', headers: address(), body: login }),
  };
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];

/** Starts all servers, then measures them in turn. */
async function measureAll(postgres, [options, ...rest], started = []) {
  if (options === undefined) return measureStarted(started);
  return withDatabase(postgres, options.name, async (databaseUrl) => {
    const { baseUrl, close } = await startServer(options, databaseUrl);
    try {
      const { token, login } = await signUp(baseUrl);
      const body = { name: 'Door', deviceType: 'kiosk' };
      const { device } = await call(baseUrl, 'POST', '/api/console/devices', bearer(token), body);
      const own = { baseUrl, requests: requests(token, login, device.id) };
      return await measureAll(postgres, rest, [...started, own]);
    } finally {
      await close();
    }
  });
}

async function measureStarted(started) {
  const rows = [];
  for (const name of Object.keys(started[0].requests).filter((route) => route.includes(ONLY))) {
    const rates = started.map(() => []);
    for (let round = -1; round < ROUNDS; round++)
      for (const [at, { baseUrl, requests }] of started.entries()) {
        const next = requests[name];
        const { perSecond } = await load(baseUrl, { connections: CONNECTIONS, seconds: SECONDS, next });
        // The first round warms up.
        if (round >= 0) rates[at].push(perSecond);
      }
    const [before, after] = rates.map(median);
    rows.push({
      route: name,
      before: before.toFixed(0),
      now: after.toFixed(0),
      ratio: (after / before).toFixed(3),
    });
  }
  return rows;
}

const postgres = await openPostgres({ embedded: false });
try {
  console.log(
    `Requests a second over ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s in turns`,
  );
  console.table(await measureAll(postgres, servers));
} finally {
  await postgres.close();
}
process.exit(0);
