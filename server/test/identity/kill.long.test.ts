import { afterAll, expect, it } from 'vitest';
import { databaseKind } from '../support/database.js';
import { checkKilledRecoveries } from '../support/faults/recoveries.js';
import { checkKilledRotations } from '../support/faults/rotations.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

const kills = Number(process.env.CRASH_KILLS ?? 200);

it(
  'many kills while secrets are rotated, also two of one phone at the same time, leave exactly one in force each time [D12.93] [D12.312]',
  async () => {
    const report = await checkKilledRotations({ kills, seed: seedOf(`many rotations on ${databaseKind}`) });
    console.log(`rotations on ${databaseKind}: ${JSON.stringify(report)}`);
    expect(report.rotations).toBe(3 * kills);
  },
  kills * 60_000,
);

it(
  'many kills while recoveries are completed leave one phone of each person in force each time [D12.98]',
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
