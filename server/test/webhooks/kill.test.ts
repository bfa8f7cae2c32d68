// @module-tag if-touched @core server/src/features/webhooks/ server/src/features/events/: receivers, nodes and processes that fail in the middle of deliveries
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledDeliveries } from '../support/faults/deliveries.js';
import { endProcesses } from '../support/process.js';
import { seedOf } from '../support/seeded.js';

afterAll(endProcesses);

it('kill -9 of the sender loses no event, keeps the order, and repeats at most 64 deliveries, each with its id', async () => {
  const seed = seedOf(`deliveries on ${databaseKind}`);
  const report = await checkKilledDeliveries({ kills: 2, seed });
  console.log(`deliveries on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.events).toBeGreaterThan(4);
});
