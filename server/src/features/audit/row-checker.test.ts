import { describe, expect, it } from 'vitest';
import { createRowChecker } from './row-checker.js';

const START = { hash: undefined, seq: 0, at: 0 };
/** Enough rows to be checked in a thread. */
const ROWS = Array.from({ length: 500 }, () => 'a row');
const script = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

describe('a check of audit rows whose thread dies', () => {
  it.each([
    ['by an error', 'throw new Error("broken")'],
    ['without an error', 'process.exit(0)'],
  ])('%s ends with 503 service_unavailable', async (_, source) => {
    const checker = createRowChecker(script(source));
    await expect(checker.check(START, 'live', ROWS)).rejects.toMatchObject({ code: 'service_unavailable' });
    await checker.close();
  });
});

it('returns to each caller what the thread replied to it, also to concurrent calls', async () => {
  const checker = createRowChecker(
    script(`import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ([link]) => parentPort.postMessage({ link }));`),
  );
  const calls = [1, 2, 3].map((seq) => checker.check({ ...START, seq }, 'live', ROWS));
  expect((await Promise.all(calls)).map(({ link }) => link.seq)).toEqual([1, 2, 3]);
  await checker.close();
});

it('does not wait for a thread that died during an earlier call', async () => {
  const checker = createRowChecker(script('throw new Error("broken")'));
  const calls = [1, 2].map(() => checker.check(START, 'live', ROWS));
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'service_unavailable' });
  await checker.close();
});
