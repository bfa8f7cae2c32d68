import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Checked, checkRows } from './check-rows.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../dist/features/audit/check-rows.worker.js', import.meta.url);
/** Checking fewer rows takes a few milliseconds, less than starting a thread. */
const MIN_ROWS_FOR_THREAD = 500;

/** Runs `checkRows` without blocking the event loop: many rows are checked in a thread, which starts with the first. */
export interface RowChecker {
  /**
   * One call at a time.
   * @throws Error if the thread dies, for example because it runs out of memory
   */
  check(...args: Parameters<typeof checkRows>): Promise<Checked>;
  close(): Promise<void>;
}

export function createRowChecker(): RowChecker {
  let worker: Worker | undefined;
  return {
    async check(...args) {
      if (args[2].length < MIN_ROWS_FOR_THREAD) return checkRows(...args);
      worker ??= new Worker(WORKER, { env: {}, execArgv: [] });
      worker.postMessage(args);
      // `once` rejects when the thread reports an error.
      const [checked] = await once(worker, 'message');
      return checked as Checked;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
