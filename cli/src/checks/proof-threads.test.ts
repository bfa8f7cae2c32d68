import { loadPinnedKey } from '@svc/zk/setup/artifacts';
import type { HoursLine, HoursPunch } from '@svc/zk/time/hours-file';
import { type ParsedProof, parseProof } from '@svc/zk/verifier/proof';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GOOD } from '../../../sdk/test/hours-vectors.js';
import { openProofThreads, type ProofThreads } from './proof-threads.js';

let threads: ProofThreads;
beforeAll(async () => {
  threads = await openProofThreads(loadPinnedKey().vkey);
});
afterAll(() => threads.close());

const punches = (GOOD[0]?.text ?? '')
  .trimEnd()
  .split('\n')
  .flatMap((line): HoursPunch[] => {
    const value = JSON.parse(line) as HoursLine;
    return 'punch' in value && value.punch ? [value.punch] : [];
  });

function parsed({ proof, publicSignals }: HoursPunch): ParsedProof {
  const read = parseProof(proof, publicSignals);
  if (!read.ok) throw new Error('The published file has a malformed proof');
  return read.parsed;
}

it('gives the verdicts of as many batches as a check sends, in their order [time/hours-file]', async () => {
  const valid = punches.map(parsed);
  const [first, second] = valid as [ParsedProof, ParsedProof];
  const wrong: ParsedProof = { ...first, signals: second.signals };
  const batch = [...valid, wrong, ...valid];
  const expected = [...valid.map(() => true), false, ...valid.map(() => true)];
  const verdicts = await Promise.all(Array.from({ length: 9 }, () => threads.verifyBatch(batch)));
  for (const each of verdicts) expect(each).toEqual(expected);
});
