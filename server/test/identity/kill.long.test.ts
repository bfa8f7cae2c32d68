import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledRotations } from '../support/faults/rotations.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('thirty kills while secrets are rotated leave exactly one in force each time [D12.93]', async () => {
  const report = await checkKilledRotations({ kills: 30, seed: seedOf(`many rotations on ${databaseKind}`) });
  console.log(`rotations on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.rotations).toBe(90);
}, 900_000);
