// @module-tag if-touched @core server/src/features/identities/ server/src/features/phones/ server/src/features/proofs/ server/src/features/registrations/: processes that are killed, with real proofs
// @module-tag not-on-citus: start and kill processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledActs } from '../support/faults/kills/acts-killed.js';
import { checkKilledRecoveries } from '../support/faults/kills/recoveries.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 in the middle of each act of a phone leaves it done or not done, and exactly one secret in force [identities/rotation] [phones/which-secret-works]', async () => {
  const report = await checkKilledActs({ kills: 6, seed: seedOf(`acts of phones on ${databaseKind}`) });
  console.log(`acts of phones on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.kills).toBe(6);
});

it('kill -9 while recoveries are completed leaves one phone of each person in force, and the next run completes the others [recoveries/recoveries]', async () => {
  const report = await checkKilledRecoveries({ kills: 2, seed: seedOf(`recoveries on ${databaseKind}`) });
  console.log(`recoveries on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.recoveries).toBe(12);
});
