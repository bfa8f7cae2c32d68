// @module-tag embedded-ci
// @module-tag if-touched @core server/src/features/health/ scripts/: a load of mixed writes on a process that is killed
// @module-tag not-on-citus: starts and kills a process with a plain database of its own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkLoad } from '../support/load/run.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 under a load of mixed writes loses no acknowledged write', async () => {
  const seed = seedOf(`load on ${databaseKind}`);
  const trouble = { kills: 1, between: [60, 100] } as const;
  const report = await checkLoad({ kind: databaseKind, trouble, seed });
  console.log(`load on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.acknowledged).toBeGreaterThanOrEqual(60);
});
