// @module-tag embedded-ci
// @module-tag ci: random operations, and many starts and kills of the process
import { expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkModel } from '../support/model/run.js';
import { seedOf } from '../support/seeded.js';

it('random operations of several clients with lost connections give the results of the contract', async () => {
  const seed = seedOf(`model on ${databaseKind}`);
  const { outcomes: _, ...run } = await checkModel({
    kind: databaseKind,
    sequences: 10,
    maxMoves: 100,
    seed,
    minutes: 4,
  });
  console.log(`model on ${databaseKind}: ${JSON.stringify(run)}`);
  expect(run.operations).toBeGreaterThan(100);
}, 300_000);
