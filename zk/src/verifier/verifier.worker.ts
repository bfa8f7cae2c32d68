import { parentPort, workerData } from 'node:worker_threads';
import { createMultiple } from '../curve/fixed-base.js';
import { CheckedVerifier } from './checked-verifier.js';
import { createVerifier } from './create-verifier.js';
import { createMclVerifier } from './mcl-verifier.js';
import type { PoolMessage, ThreadMessage, ThreadOptions } from './pool-protocol.js';

/**
 * A verifier thread: receives batches of parsed proofs and replies with their verdicts in order. Any unexpected error ends the
 * thread, because a thread in an unknown state must not return verdicts. The pool replaces it.
 */
const port = parentPort;
if (port === null) throw new Error('verifier.worker must run as a worker thread');
const send = (message: ThreadMessage) => port.postMessage(message);

const { vkey, kernel: forced } = workerData as ThreadOptions;
const chosen = await createVerifier(vkey, forced);
const checked = new CheckedVerifier({
  kernel: chosen,
  // Without tables of the key. They take time and memory, and would save only a tenth.
  mcl: chosen.kernel === 'mcl' ? chosen : await createMclVerifier(vkey, createMultiple),
  now: () => performance.now(),
  randomByte: () => crypto.getRandomValues(new Uint8Array(1))[0] ?? 0,
});
if (chosen.kernel === 'mcl') checked.useMcl();

port.on('message', (message: PoolMessage) => {
  if (message === 'use mcl') return checked.useMcl();
  const { batch, singly, confirm } = message;
  const result = checked.verify(batch, singly);
  send({ kind: 'verdicts', ...result });
  send({ kind: 'confirmed', ...checked.confirm(batch, result.verdicts, confirm) });
});
send({
  kind: 'ready',
  kernel: chosen.kernel,
  unusable: chosen.unusable.map(({ message, isWrong }) => ({ reason: message, isWrong })),
});
