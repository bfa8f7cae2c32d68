// @module-tag if-touched @core server/src/features/erasure/ server/src/features/users/ server/src/features/restore/: a process that is killed
// @module-tag not-on-citus: starts and kills processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledErasures } from '../support/faults/erasures.js';
import { endProcesses } from '../support/process.js';
import { seedOf } from '../support/seeded.js';

afterAll(endProcesses);

it('kill -9 while people are erased leaves each of them whole or erased, and a repeated request finishes it [erasure/erasing-a-person] [erasure/file-of-erasures]', async () => {
  const report = await checkKilledErasures({ kills: 3, seed: seedOf(`erasures on ${databaseKind}`) });
  console.log(`erasures on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.people).toBe(9);
});
