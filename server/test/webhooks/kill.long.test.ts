import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledDeliveries } from '../support/faults/deliveries.js';
import { endProcesses } from '../support/process.js';
import { seedOf } from '../support/seeded.js';

afterAll(endProcesses);

it('kill -9 of the sender, thirty times, loses no event, keeps the order, and repeats at most 64 deliveries each time, with their ids', async () => {
  const seed = seedOf(`deliveries on ${databaseKind}`);
  const report = await checkKilledDeliveries({ kills: 30, seed });
  console.log(`deliveries on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.events).toBeGreaterThan(10);
}, 1_200_000);
