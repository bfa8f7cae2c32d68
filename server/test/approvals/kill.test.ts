// @module-tag if-touched @core server/src/features/approvals/ server/src/features/proofs/ sdk/src/receipts/ zk/src/: processes that are killed, with real proofs
// @module-tag not-on-citus: start and kill processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledApprovals } from '../support/faults/approvals.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 while people decide leaves no approval without its row, and no row without its approval', async () => {
  const report = await checkKilledApprovals({ kills: 3, seed: seedOf(`approvals on ${databaseKind}`) });
  console.log(`approvals on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.approvals).toBe(9);
});
