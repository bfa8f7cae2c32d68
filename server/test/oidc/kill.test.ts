// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: real relying parties, two nodes, processes that are killed, and attacks one by one
import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledSignIns } from '../support/faults/sign-ins.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

it('kill -9 while codes are redeemed, leaves no spent code usable', async () => {
  const report = await checkKilledSignIns({ kills: 2, seed: seedOf(`sign-ins on ${databaseKind}`) });
  console.log(`sign-ins on ${databaseKind}: ${JSON.stringify(report)}`);
  expect(report.codes).toBe(12);
});
