import { expect, it } from 'vitest';
import { sharingRuns } from './sharing.js';

/** Work whose runs the test ends one by one. */
function prepare() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const run = sharingRuns(() => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject })));
  return { ends, run };
}

it('shares the next run between all callers that come during a run', async () => {
  const { ends, run } = prepare();
  const first = run();
  const others = Array.from({ length: 100 }, () => run());
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(others);
  expect(ends).toHaveLength(2);
});

it('never lets a caller share a run that began before its call', async () => {
  const { ends, run } = prepare();
  const first = run();
  ends[0]?.resolve();
  await first;
  const second = run();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await second;
});

it('runs again after a failure, which only its own callers see', async () => {
  const { ends, run } = prepare();
  const first = run();
  const second = run();
  ends[0]?.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  ends[1]?.resolve();
  await second;
});
