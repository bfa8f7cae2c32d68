import { expect, it } from 'vitest';
import { checkBusyHour } from '../support/busy-hour/run.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

/** Two minutes, unless a release is tested for an hour. */
const SECONDS = Number(process.env.LONG_SECONDS ?? 120);

it(
  'two nodes keep every acknowledged write while statements fail at random and tables are locked, and neither ends',
  async () => {
    const report = await checkBusyHour({ seconds: SECONDS, seed: seedOf('busy hour') });
    console.log(`busy hour: ${JSON.stringify(report)}`);
    expect(report.cancelled).toBeGreaterThan(0);
    expect(report.unavailable).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(report.unavailable);
  },
  (SECONDS + 1_800) * 1_000,
);
