// `npm run bench`: every scenario in turn, or those that are named: `npm run bench -- http records`. Each prints a table of our figures,
// those of a comparison, and the ratio.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUp } from '../scripts/setup.mjs';

const SCENARIOS = [
  'scenarios/zk.mjs',
  'pages/browser.mjs',
  'scenarios/http.mjs',
  'scenarios/records.mjs',
  'requests.mjs',
  'databases/filters.mjs',
  'databases/replica.mjs',
  'databases/citus.mjs',
  'streams.mjs',
  'scenarios/keyless.mjs',
  'scenarios/acts.mjs',
  'scenarios/receipts.mjs',
  'scenarios/erasure.mjs',
  'scenarios/webhooks.mjs',
  'scenarios/openid.mjs',
  'overload.mjs',
  'scenarios/retention.mjs',
  'scenarios/audit-tree.mjs',
  'scenarios/seals.mjs',
  'time/punches.mjs',
  'time/desk.mjs',
  'time/sheets.mjs',
  'pages/dashboard.mjs',
  'pages/lighthouse.mjs',
  'scenarios/server.mjs',
];
const nameOf = (scenario) => basename(scenario, '.mjs');

const names = process.argv.slice(2);
const unknown = names.find((name) => !SCENARIOS.some((scenario) => nameOf(scenario) === name));
if (unknown !== undefined) {
  console.error(`There is no scenario ${unknown}. Scenarios: ${SCENARIOS.map(nameOf).join(', ')}.`);
  process.exit(2);
}
await setUp();
for (const scenario of SCENARIOS) {
  if (names.length > 0 && !names.includes(nameOf(scenario))) continue;
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(scenario, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
