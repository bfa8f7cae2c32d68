// @module-tag not-on-citus: starts and kills processes with a plain database of their own
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledErasures } from '../support/faults/erasures.js';
import { endProcesses } from '../support/process.js';
import { seedOf } from '../support/seeded.js';

afterAll(endProcesses);

it('thirty kills while people are erased leave each of them whole or erased [erasure/erasing-a-person]', async () => {
  const report = await checkKilledErasures({ kills: 30, seed: seedOf(`many erasures on ${databaseKind}`) });
  console.log(`erasures on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.people).toBe(90);
}, 900_000);
