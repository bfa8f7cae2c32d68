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
