import { generateKeyPairSync } from 'node:crypto';
import type { KeyPair } from '../../src/http/deps.js';

/** An RSA pair takes 170 ms of CPU time, so the issuers of a worker take turns with these. Tests of keys generate their own. */
const shared: KeyPair[] = [];
const SHARED_PAIRS = 4;
let taken = 0;
export async function nextSharedPair(): Promise<KeyPair> {
  const at = taken++ % SHARED_PAIRS;
  shared[at] ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return shared[at];
}

/** A generator of RSA pairs whose runs wait for a test. The pairs are shared. */
export function heldKeyPairs() {
  let runs = 0;
  let running = 0;
  let mostRunning = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  return {
    async generate(): Promise<KeyPair> {
      runs += 1;
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      start();
      await released;
      running -= 1;
      return nextSharedPair();
    },
    /** Resolves when the first run starts. */
    started,
    /** Ends the first run, and every later one as soon as it starts. */
    release: () => release(),
    counts: () => ({ runs, mostRunning }),
  };
}
