import { availableParallelism } from 'node:os';
import type { ProofVerifier } from '@svc/sdk/hours';
import { createVerifierPool } from '@svc/zk/verifier/pool';
import type { VerificationKey } from '@svc/zk/verifier/verification-key';
import { MAX_BATCH_SIZE } from '@svc/zk/verifier/verifier';

const MAX_THREADS = 4;
/** More than a check ever has waiting. */
const MAX_BATCHES = 16;
/** A source may fill a quarter of the queue. */
const QUEUE_LIMIT = 4 * MAX_BATCHES * MAX_BATCH_SIZE;
const SOURCE = { name: 'file' };
/** A check waits for as long as it takes. */
const DEADLINE_MS = 24 * 60 * 60_000;

/** A verifier in threads of its own. */
export interface ProofThreads extends ProofVerifier {
  close(): Promise<void>;
}

/** Verifies proofs in as many threads as there are processors, so that a check reads on in the meantime. */
export async function openProofThreads(vkey: VerificationKey): Promise<ProofThreads> {
  const pool = await createVerifierPool({
    key: { vkey },
    workers: Math.min(MAX_THREADS, availableParallelism()),
    queueLimit: QUEUE_LIMIT,
    deadlineMs: DEADLINE_MS,
  });
  return {
    verifyBatch: (batch) =>
      Promise.all(
        batch.map((parsed) => {
          const slot = pool.reserve(SOURCE);
          if (slot === null) throw new Error('More proofs wait than a check sends');
          return slot.verify(parsed);
        }),
      ),
    close: () => pool.close(),
  };
}
