import { generateKeyPairSync } from 'node:crypto';
import type { KeyPair } from '../../src/http/deps.js';

const PAIR: KeyPair = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A generator of RSA pairs whose runs wait for a test. Every run returns the same pair. */
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
      return PAIR;
    },
    /** Resolves when the first run starts. */
    started,
    /** Ends the first run, and every later one as soon as it starts. */
    release: () => release(),
    counts: () => ({ runs, mostRunning }),
  };
}
