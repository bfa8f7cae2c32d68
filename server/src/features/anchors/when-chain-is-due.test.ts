import { expect, it } from 'vitest';
import type { Anchoring } from '../../http/deps.js';
import { whenChainIsDue } from './anchors.js';

it('works on the blockchain at every third call, and at every call while a batch waits for its block', async () => {
  let isInFlight = false;
  const anchoring = { status: () => ({ isInFlight }) } as unknown as Anchoring;
  let worked = 0;
  const call = whenChainIsDue(anchoring, async () => {
    worked += 1;
  });
  const counts: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await call();
    counts.push(worked);
  }
  expect(counts).toEqual([1, 1, 1, 2]);
  isInFlight = true;
  await call();
  await call();
  expect(worked).toBe(4);
});
