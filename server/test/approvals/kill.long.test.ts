// @module-tag not-on-citus: starts and kills processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledApprovals } from '../support/faults/approvals.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('thirty kills while people decide leave no approval without its row, and no row without its approval', async () => {
  const report = await checkKilledApprovals({ kills: 30, seed: seedOf(`many approvals on ${databaseKind}`) });
  console.log(`approvals on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.approvals).toBe(90);
  // Kills came before decisions and after them.
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.acknowledged).toBeLessThan(30 * 4);
}, 900_000);
