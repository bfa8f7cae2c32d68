import { parentPort, workerData } from 'node:worker_threads';
import { createMultiple } from '../curve/fixed-base.js';
import { CheckedVerifier } from './checked-verifier.js';
import { createVerifier } from './create-verifier.js';
import { createMclVerifier } from './mcl-verifier.js';
import type { PoolMessage, ThreadMessage, ThreadOptions, VerifyRequest } from './pool-protocol.js';
import type { Verifier } from './verifier.js';

/**
 * A verifier thread: receives batches of parsed proofs and replies with their verdicts in order. Any unexpected error ends the
 * thread, because a thread in an unknown state must not return verdicts. The pool replaces it.
 */
const port = parentPort;
if (port === null) throw new Error('verifier.worker must run as a worker thread');
const send = (message: ThreadMessage) => port.postMessage(message);

const { vkey, kernel: forced } = workerData as ThreadOptions;
const chosen = await createVerifier(vkey, forced);

let loading: Promise<Verifier> | undefined;
/** Without tables of the key, which take time and memory and would save a tenth. */
const mcl = () => {
  loading ??= createMclVerifier(vkey, createMultiple);
  return loading;
};
const checked = new CheckedVerifier({
  kernel: chosen,
  mcl,
  now: () => performance.now(),
  randomByte: () => crypto.getRandomValues(new Uint8Array(1))[0] ?? 0,
});
let useMcl = chosen.kernel === 'mcl';
const NONE = { opinions: { rejections: 0, acceptances: 0, skipped: 0 }, differences: [] };

async function verify({ batch, singly, confirm }: VerifyRequest): Promise<void> {
  if (useMcl) {
    const verifier = chosen.kernel === 'mcl' ? chosen : await mcl();
    const verdicts = singly ? batch.map(verifier.verify) : verifier.verifyBatch(batch);
    return send({ kind: 'verdicts', verdicts, ...NONE });
  }
  const result = await checked.verify(batch, singly);
  send({ kind: 'verdicts', ...result });
  const confirmed = await checked.confirm(batch, result.verdicts, confirm);
  if (confirmed.opinions.acceptances > 0) send({ kind: 'confirmed', ...confirmed });
}

port.on('message', (message: PoolMessage) => {
  if (message === 'use mcl') useMcl = true;
  // A rejection ends the thread.
  else void verify(message);
});
send({
  kind: 'ready',
  kernel: chosen.kernel,
  unusable: chosen.unusable.map(({ message, isWrong }) => ({ reason: message, isWrong })),
});
