import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledActs } from '../support/faults/kills/acts-killed.js';
import { checkKilledRecoveries } from '../support/faults/kills/recoveries.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

const kills = Number(process.env.CRASH_KILLS ?? 200);

it(
  'many kills in the middle of the acts of phones, also two of one phone at the same time, leave each done or not done, and exactly one secret in force [identities/rotation] [phones/which-secret-works]',
  async () => {
    const report = await checkKilledActs({ kills, seed: seedOf(`many acts of phones on ${databaseKind}`) });
    console.log(`acts of phones on ${databaseKind}: ${JSON.stringify(report)}`);
    expect(report.kills).toBe(kills);
  },
  kills * 60_000,
);

it(
  'many kills while recoveries are completed leave one phone of each person in force each time [recoveries/recoveries]',
  async () => {
    const some = Math.ceil(kills / 10);
    const report = await checkKilledRecoveries({
      kills: some,
      seed: seedOf(`many recoveries on ${databaseKind}`),
    });
    console.log(`recoveries on ${databaseKind}: ${JSON.stringify(report)}`);
    expect(report.recoveries).toBe(6 * some);
  },
  kills * 60_000,
);
