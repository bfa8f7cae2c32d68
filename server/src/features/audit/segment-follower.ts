import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { followSegment, type LastLink } from './segment.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../dist/features/audit/segment.worker.js', import.meta.url);
/** What is followed within a millisecond is not worth a thread. */
const LONG = 200_000;

/** Follows segments where they do not hold the event loop up: long ones in a thread of its own, started with the first. */
export interface SegmentFollower {
  /** As `followSegment`; undefined also when the thread dies of it, and the next one gets a new thread. One at a time. */
  follow(...args: Parameters<typeof followSegment>): Promise<LastLink | undefined>;
  close(): Promise<void>;
}

export function createSegmentFollower(): SegmentFollower {
  let worker: Worker | undefined;
  return {
    async follow(...args) {
      if (args[2].length < LONG) return followSegment(...args);
      worker ??= new Worker(WORKER, { env: {}, execArgv: [] });
      const settled = new AbortController();
      const { signal } = settled;
      // `once` rejects on an error, too: the thread has ended then.
      const answer = once(worker, 'message', { signal }).then(([end]) => end as LastLink | undefined);
      const ended = once(worker, 'exit', { signal }).then(() =>
        Promise.reject(new Error('the thread ended')),
      );
      worker.postMessage(args);
      try {
        return await Promise.race([answer, ended]);
      } catch {
        worker = undefined;
        return undefined;
      } finally {
        settled.abort();
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
