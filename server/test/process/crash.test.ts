// @module-tag ci: random operations, and many starts and kills of the process
// @module-tag not-on-citus: start and kill processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkCrashes } from '../support/faults/crash.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 under a load of mixed writes loses no acknowledged write', async () => {
  const seed = seedOf(`crash on ${databaseKind}`);
  const report = await checkCrashes({ kind: databaseKind, kills: 1, between: [60, 100], seed });
  console.log(`crash on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.acknowledged).toBeGreaterThanOrEqual(60);
}, 300_000);
