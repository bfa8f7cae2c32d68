import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fail } from '../../base/errors.js';
import { type Checked, checkRows } from './check-rows.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../dist/features/audit/check-rows.worker.js', import.meta.url);
/** Checking fewer rows takes a few milliseconds, less than starting a thread. */
const MIN_ROWS_FOR_THREAD = 500;

/** Runs `checkRows` without blocking the event loop: many rows are checked in a thread, which starts with the first. */
export interface RowChecker {
  /**
   * The thread checks the rows of one call at a time.
   * @throws Failure `service_unavailable` if the thread dies, for example because it runs out of memory
   */
  check(...args: Parameters<typeof checkRows>): Promise<Checked>;
  close(): Promise<void>;
}

export function createRowChecker(file = WORKER): RowChecker {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function checkInThread(args: Parameters<typeof checkRows>): Promise<Checked> {
    worker ??= new Worker(file, { env: {}, execArgv: [] });
    const settled = new AbortController();
    const { signal } = settled;
    try {
      worker.postMessage(args);
      // `once` rejects when the thread reports an error; a thread may also end without one.
      const replied = once(worker, 'message', { signal });
      const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('it ended')));
      const [checked] = await Promise.race([replied, ended]);
      return checked as Checked;
    } catch (error) {
      worker = undefined;
      return fail('service_unavailable', { because: `the audit check's thread died: ${error}` });
    } finally {
      settled.abort();
    }
  }

  return {
    async check(...args) {
      if (args[2].length < MIN_ROWS_FOR_THREAD) return checkRows(...args);
      const checked = last.then(() => checkInThread(args));
      last = checked.catch(() => undefined);
      return checked;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
