import { afterAll, expect, it } from 'vitest';
import { checkCrashes } from '../support/faults/crash.js';
import { endProcesses } from '../support/process.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { seedOf } from '../support/seeded.js';

useRealProofs();

afterAll(endProcesses);

const kills = Number(process.env.CRASH_KILLS ?? 30);
/** The average number of writes between a start and its kill. */
const writes = Number(process.env.CRASH_WRITES ?? 400);
/** Raise this on a busy machine. */
const START_MS = Number(process.env.CRASH_START_MS ?? 5_000);

it.each(['postgres', 'pglite'] as const)(
  'repeated kill -9 at random moments under a load of mixed writes loses no acknowledged write on %s',
  async (kind) => {
    const seed = seedOf(`crash on ${kind}`);
    const between = [Math.ceil(writes * 0.6), Math.ceil(writes * 1.4)] as const;
    const report = await checkCrashes({ kind, kills, between, seed });
    console.log(`crash on ${kind}: ${JSON.stringify(report)}`);
    expect(report.kills).toBe(kills);
    expect(report.withoutResponse).toBeGreaterThanOrEqual(kills);
    expect(report.acknowledged).toBeGreaterThanOrEqual(kills * between[0]);
    expect(Math.max(...report.startMs)).toBeLessThan(START_MS);
  },
  60 * 60_000,
);
