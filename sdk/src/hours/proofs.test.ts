import { loadPinnedKey } from '@svc/zk/setup/artifacts';
import type { HoursPunch } from '@svc/zk/time/hours-file';
import { MAX_BATCH_SIZE } from '@svc/zk/verifier/verifier';
import { expect, it } from 'vitest';
import { GOOD } from '../../test/hours-vectors.js';
import { Findings } from './fault.js';
import { MAX_SENT, ProofCheck } from './proofs.js';

const { vkey } = loadPinnedKey();
const line = (GOOD[0]?.text ?? '').split('\n').find((text) => text.includes('"punch":')) as string;
const { punch } = JSON.parse(line) as { punch: HoursPunch };

/** Adds proofs, whose verdicts come only when the test says so. */
function started(count: number) {
  const findings = new Findings();
  const waiting: ((verdicts: readonly boolean[] | Error) => void)[] = [];
  const check = new ProofCheck(vkey, findings, async () => ({
    verifyBatch: () =>
      new Promise((resolve, reject) => {
        waiting.push((verdicts) => (verdicts instanceof Error ? reject(verdicts) : resolve(verdicts)));
      }),
  }));
  const added = (async () => {
    for (let number = 0; number < count; number += 1) await check.add(punch, `Proof ${number}`, number);
    await check.flush();
  })();
  return { check, findings, waiting, added };
}

it('sends a verifier with threads some batches at a time, and names invalid proofs in their order', async () => {
  const { check, findings, waiting, added } = started(12 * MAX_BATCH_SIZE);
  await expect.poll(() => waiting.length).toBe(MAX_SENT + 1);
  for (let at = 0; at < 12; at += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(at);
    waiting[at]?.(Array.from({ length: MAX_BATCH_SIZE }, (_, index) => index !== at));
  }
  await added;
  expect(check.count).toBe(12 * MAX_BATCH_SIZE);
  expect(findings.listed.map(({ line }) => line)).toEqual(
    Array.from({ length: 12 }, (_, at) => at * MAX_BATCH_SIZE + at),
  );
});

it('fails if a batch could not be verified, which says nothing about its proofs', async () => {
  const { findings, waiting, added } = started(2 * MAX_BATCH_SIZE);
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]?.(new Error('a thread died'));
  waiting[0]?.(Array.from({ length: MAX_BATCH_SIZE }, () => true));
  await expect(added).rejects.toThrow('a thread died');
  expect(findings.count).toBe(0);
});
