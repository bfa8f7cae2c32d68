// The embedded server as `npm start` runs it: memory after the quickstart, including its first start, and the event loop delay
// during verifications, each compared with its promise. Needs a build. BENCH_SECONDS=<n> of the load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickstart } from '../../cli/dist/phone/quickstart.js';
import { row, size } from '../harness.mjs';
import { load } from '../load.mjs';
import { enroll, makePeople, verification } from '../people.mjs';
import { SERVICE, startServer } from '../servers.mjs';

const SECONDS = size('SECONDS', 5);
const CONNECTIONS = 16;
const PROMISED_MS = 20;
const PROMISED_MB = 600;

const probe = fileURLToPath(new URL('../loop-delay.mjs', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const settings = { ...SERVICE.settings, DATA_DIR: dataDir };
const { baseUrl, server, close } = await startServer(
  { ...SERVICE, settings, flags: ['--import', probe] },
  '',
);
const ask = (what) =>
  new Promise((resolve) => {
    server.once('message', resolve);
    server.send(what);
  });

try {
  await quickstart({ baseUrl }, { step() {}, line() {} });
  const { rss } = await ask('read');
  const [person] = await makePeople(1);
  const subject = await enroll(baseUrl, person);
  const verify = () =>
    load(baseUrl, { connections: CONNECTIONS, seconds: SECONDS, next: () => verification(subject) });
  await verify();
  await ask('reset');
  const { perSecond } = await verify();
  const { p99 } = await ask('read');
  console.table([
    row('event loop delay, p99, ms', p99, 'promised', PROMISED_MS, PROMISED_MS / p99),
    row('memory after the quickstart, MB', rss / 1e6, 'promised', PROMISED_MB, (PROMISED_MB * 1e6) / rss),
  ]);
  console.log(
    `At the same time ${perSecond.toFixed(0)} verifications a second, embedded database, ${CONNECTIONS} connections.`,
  );
} finally {
  await close();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
