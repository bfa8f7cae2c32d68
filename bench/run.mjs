// `npm run bench`: every benchmark in turn. Each prints a table of our figures, those of a comparison, and the ratio.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setUp } from '../scripts/setup.mjs';

await setUp();
for (const name of [
  'zk.mjs',
  'browser.mjs',
  'http.mjs',
  'records.mjs',
  'filters.mjs',
  'replica.mjs',
  'citus.mjs',
  'streams.mjs',
  'keyless.mjs',
  'phones.mjs',
  'approvals.mjs',
  'attestation.mjs',
  'receipts.mjs',
  'erasure.mjs',
  'webhooks.mjs',
  'openid.mjs',
  'overload.mjs',
  'retention.mjs',
  'audit-tree.mjs',
  'pages.mjs',
  'server.mjs',
]) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(name, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
