// Makes proofs in a thread of its own, so that sending and receiving do not wait for them.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createPhoneProver } from '../harness.mjs';

if (!isMainThread) {
  const prove = await createPhoneProver();
  parentPort.on('message', async ({ id, phone, bind }) => {
    parentPort.postMessage({ id, proved: await prove(phone, bind) });
  });
}

/** Returns `prove(phone, bind)` as `createPhoneProver` does. */
export function startProver() {
  const worker = new Worker(new URL(import.meta.url));
  const waiting = new Map();
  worker.on('message', ({ id, proved }) => {
    waiting.get(id)(proved);
    waiting.delete(id);
  });
  let sent = 0;
  return (phone, bind) =>
    new Promise((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      worker.postMessage({ id: sent, phone, bind });
    });
}
