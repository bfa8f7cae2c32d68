import type { Clock } from '../base/clock.js';

const MAX_RUN_MS = 30_000;

/** Limits work that a job does in batches. */
export interface BatchLimits {
  readonly clock: Clock;
  /** Aborted when the process shuts down. */
  readonly signal?: AbortSignal;
}

/**
 * Runs batches until one returns false, for at most half a minute, or until the signal is aborted. A batch that has begun
 * is finished; the next run of the job continues with the rest.
 */
export async function inBatches(
  { clock, signal }: BatchLimits,
  runBatch: () => Promise<boolean>,
): Promise<void> {
  const end = clock.now() + MAX_RUN_MS;
  while ((await runBatch()) && clock.now() < end && !signal?.aborted);
}
