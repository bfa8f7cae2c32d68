import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyRequest, WorkerReply } from './pool-protocol.js';
import type { VerificationKey } from './verification-key.js';
import { createVerifier } from './verifier.js';

/**
 * A verifier thread: receives batches of parsed proofs and replies with their verdicts in order. Any unexpected error ends the
 * thread, because a thread in an unknown state must not return verdicts. The pool replaces it.
 */
const port = parentPort;
if (port === null) throw new Error('verifier.worker must run as a worker thread');

const verifier = await createVerifier((workerData as { vkey: VerificationKey }).vkey);
port.on('message', ({ batch, singly }: VerifyRequest) => {
  const reply: WorkerReply = { verdicts: singly ? batch.map(verifier.verify) : verifier.verifyBatch(batch) };
  port.postMessage(reply);
});
port.postMessage('ready' satisfies WorkerReply);
