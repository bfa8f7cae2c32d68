import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyRequest, WorkerReply } from './pool-protocol.js';
import type { VerificationKey } from './verification-key.js';
import { createVerifier } from './verifier.js';

/**
 * A verifier thread: takes batches of parsed proofs, answers their verdicts in order. Anything unexpected ends the
 * thread instead of being answered, because a thread in an unknown state must not give verdicts; the pool replaces it.
 */
const port = parentPort;
if (port === null) throw new Error('verifier.worker runs as a worker thread only');

const verifier = await createVerifier((workerData as { vkey: VerificationKey }).vkey);
port.on('message', ({ batch, singly }: VerifyRequest) => {
  const reply: WorkerReply = { verdicts: singly ? batch.map(verifier.verify) : verifier.verifyBatch(batch) };
  port.postMessage(reply);
});
port.postMessage('ready' satisfies WorkerReply);
