import { afterAll, expect, it } from 'vitest';
import { checkLoad } from '../support/load/run.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

/** Two minutes, unless a release is tested for an hour. */
const SECONDS = Number(process.env.LONG_SECONDS ?? 120);
const KILLS = Number(process.env.CRASH_KILLS ?? 30);
/** The average number of writes between a start and its kill. */
const WRITES = Number(process.env.CRASH_WRITES ?? 400);
/** Raise this on a busy machine. */
const START_MS = Number(process.env.CRASH_START_MS ?? 5_000);

it.each(['postgres', 'pglite'] as const)(
  'repeated kill -9 at random moments under a load of mixed writes loses no acknowledged write on %s',
  async (kind) => {
    const between = [Math.ceil(WRITES * 0.6), Math.ceil(WRITES * 1.4)] as const;
    const seed = seedOf(`kills on ${kind}`);
    const report = await checkLoad({ kind, trouble: { kills: KILLS, between }, seed });
    console.log(`kills on ${kind}: ${JSON.stringify(report)}`);
    expect(report.startMs.length).toBe(KILLS);
    expect(report.withoutResponse).toBeGreaterThanOrEqual(KILLS);
    expect(report.acknowledged).toBeGreaterThanOrEqual(KILLS * between[0]);
    expect(Math.max(...report.startMs)).toBeLessThan(START_MS);
  },
  60 * 60_000,
);

it(
  'two nodes keep every acknowledged write for an hour while statements fail at random and tables are locked, and neither ends',
  async () => {
    const report = await checkLoad({
      kind: 'postgres',
      trouble: { seconds: SECONDS },
      seed: seedOf('busy hour'),
    });
    console.log(`busy hour: ${JSON.stringify(report)}`);
    expect(report.cancelled).toBeGreaterThan(0);
    expect(report.withoutResponse).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(report.withoutResponse);
  },
  (SECONDS + 1_800) * 1_000,
);
