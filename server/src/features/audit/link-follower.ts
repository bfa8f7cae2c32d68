import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { followLinks } from '../../kernel/audit-chain.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../../dist/features/audit/links.worker.js', import.meta.url);
/** What is hashed within a millisecond is not worth a thread. */
const LONG = 200_000;

/** Follows links where they do not hold the event loop up: long texts in a thread of its own, started with the first. */
export interface LinkFollower {
  /** As `followLinks`. One at a time. */
  follow(prevHash: string, links: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createLinkFollower(): LinkFollower {
  let worker: Worker | undefined;
  return {
    async follow(prevHash, links) {
      if (links.length < LONG) return followLinks(prevHash, links);
      worker ??= new Worker(WORKER, { env: {}, execArgv: [] });
      worker.postMessage({ prevHash, links });
      return (await once(worker, 'message'))[0] as string | undefined;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
