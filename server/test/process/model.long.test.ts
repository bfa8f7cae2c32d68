import { expect, it } from 'vitest';
import { checkModel, neverSucceeded } from '../support/model/run.js';
import { seedOf } from '../support/seeded.js';

const sequences = Number(process.env.MODEL_SEQUENCES ?? 1_000);
const maxMoves = Number(process.env.MODEL_MOVES ?? 100);
const MINUTES = 90;

it.each(['postgres', 'pglite'] as const)(
  'a thousand random sequences of operations with lost connections give the results of the contract on %s',
  async (kind) => {
    const seed = seedOf(`model on ${kind}`);
    const report = await checkModel({ kind, sequences, maxMoves, seed, minutes: MINUTES });
    console.log(`model on ${kind}: ${JSON.stringify(report)}`);
    expect(neverSucceeded(report)).toEqual([]);
    expect(report.cuts).toBeGreaterThan(0);
  },
  (MINUTES + 1) * 60_000,
);
