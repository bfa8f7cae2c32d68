import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../base/clock.js';
import { fail } from '../../../base/errors.js';
import type { KeyPair, KeyPairs } from '../../../http/deps.js';

/** One pair takes about 0.2 seconds of an idle core, so the last one waits for about 6 seconds. */
const MAX_WAITING = 30;
/** On a busy machine, fewer get theirs in time. */
const MAX_WAIT_MS = 10_000;

/** A text instead of a file, because Node reads the modules of a thread on the pool that hashes passwords. */
const THREAD = `const { generateKeyPairSync } = require('node:crypto');
require('node:worker_threads').parentPort.postMessage(generateKeyPairSync('rsa', { modulusLength: 2048 }));`;

/** In a thread of its own, which ends with it. `generateKeyPair` would use the pool that hashes passwords. */
export async function generateRsa(thread = THREAD): Promise<KeyPair> {
  const worker = new Worker(thread, { eval: true, env: {}, execArgv: [] });
  try {
    // `once` rejects when the thread reports an error; a thread may also end without one.
    const ended = () => Promise.reject(new Error('it ended'));
    const [pair] = await Promise.race([once(worker, 'message'), once(worker, 'exit').then(ended)]);
    return pair as KeyPair;
  } catch (error) {
    return fail('service_unavailable', { because: `the thread of a key pair died: ${error}` });
  }
}

/** Generates RSA pairs one at a time. An issuer has one place in the queue, so an account can't delay the others any further. */
export function createKeyPairs(clock: Clock, generate: () => Promise<KeyPair> = generateRsa): KeyPairs {
  const pending = new Map<string, Promise<KeyPair>>();
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function enqueue(issuer: string): Promise<KeyPair> {
    if (pending.size > MAX_WAITING) fail('service_unavailable', { because: 'key pair queue full' });
    const arrival = clock.now();
    const pair = last
      .then(() => {
        if (isClosed) fail('service_unavailable', { because: 'shutting down' });
        if (clock.now() - arrival > MAX_WAIT_MS)
          fail('service_unavailable', { because: 'key pair queue slow' });
        return generate();
      })
      .finally(() => pending.delete(issuer));
    last = pair.catch(() => undefined);
    pending.set(issuer, pair);
    return pair;
  }

  return {
    async generate({ tenantId, environment }, alg) {
      // Takes less than a millisecond.
      if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const issuer = `${tenantId}/${environment}`;
      return pending.get(issuer) ?? enqueue(issuer);
    },
    close() {
      isClosed = true;
    },
  };
}
