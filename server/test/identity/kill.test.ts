// @module-tag ci: processes that are killed, with real proofs
// @module-tag not-on-citus: start and kill processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledRecoveries } from '../support/faults/recoveries.js';
import { checkKilledRotations } from '../support/faults/rotations.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 while secrets are rotated leaves exactly one in force, and the phone that repeats it gets the new one [D12.93]', async () => {
  const report = await checkKilledRotations({ kills: 3, seed: seedOf(`rotations on ${databaseKind}`) });
  console.log(`rotations on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.rotations).toBe(9);
}, 180_000);

it('kill -9 while recoveries are completed leaves one phone of each person in force, and the next run completes the others [D12.98]', async () => {
  const report = await checkKilledRecoveries({ kills: 2, seed: seedOf(`recoveries on ${databaseKind}`) });
  console.log(`recoveries on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.recoveries).toBe(12);
}, 180_000);
