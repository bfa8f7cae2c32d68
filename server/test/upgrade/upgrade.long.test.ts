import { expect, it } from 'vitest';
import { seedOf } from '../support/seeded.js';
import { upgradeUnderLoad } from './upgrade.js';

it('ten upgrades under the load of the previous version run without a deadlock or a failed statement', async () => {
  const seed = seedOf('upgrade');
  const retries: number[] = [];
  for (let at = 0; at < 10; at += 1) retries.push(await upgradeUnderLoad(seed + at * 100));
  expect(retries).toHaveLength(10);
  console.log(`upgrade: migrations retried ${retries.join(', ')} times`);
}, 1_800_000);
