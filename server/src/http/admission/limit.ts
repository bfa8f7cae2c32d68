import { performance } from 'node:perf_hooks';
import type { Deps } from '../deps.js';
import { FULL_BATCH, MAX_WAITING } from './admission.js';

const MIN_LIMIT = 16;
const MAX_LIMIT = 1_024;
const INTERVAL_MS = 100;
/** The weight of the last interval in an average. */
const SMOOTHING = 0.1;

/** What a node's requests wait for inside. */
export interface Load {
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly loop: number;
  /** Callers that wait for a database connection. */
  readonly database: number;
  /** Proofs that wait for a verifier thread, for each thread. */
  readonly verifier: number;
}

/**
 * Fewer slots while requests only wait for each other to get a database connection. More while there is room, which is always
 * so below a full batch. A busy event loop alone is no reason for fewer: larger batches cost it less for each request.
 */
export function nextLimit(limit: number, { loop, database, verifier }: Load): number {
  if (database > 0) return Math.max(MIN_LIMIT, Math.floor(limit * 0.95));
  if (limit < FULL_BATCH || (loop < 0.85 && verifier < FULL_BATCH / 2))
    return Math.min(MAX_LIMIT, Math.ceil(limit * 1.05));
  return loop > 0.95 ? Math.max(FULL_BATCH, Math.floor(limit * 0.95)) : limit;
}

/**
 * As many requests wait as the node serves in half a second, so few wait in vain. If most of them did, the node would spend its
 * time on rejecting them, and serve even less.
 */
export const nextMaxWaiting = (servedPerSecond: number): number =>
  Math.min(MAX_WAITING, Math.max(FULL_BATCH, Math.ceil(servedPerSecond / 2)));

/** Adapts both limits to what the node measures, while requests wait. Returns a function that stops this. */
export function adaptLimit({
  admission,
  db,
  verifier,
}: Pick<Deps, 'admission' | 'db' | 'verifier'>): () => void {
  let last = { loop: performance.eventLoopUtilization(), at: performance.now(), ended: 0 };
  let servedPerSecond = 0;
  const adapt = () => {
    const now = { loop: performance.eventLoopUtilization(), at: performance.now(), ended: admission.ended };
    const { utilization: loop } = performance.eventLoopUtilization(now.loop, last.loop);
    const current = ((now.ended - last.ended) * 1000) / (now.at - last.at);
    servedPerSecond += (current - servedPerSecond) * SMOOTHING;
    last = now;
    if (!admission.takeWaited()) return;
    const { queued, workers } = verifier.stats();
    const load = { loop, database: db.pool().waiting, verifier: queued / Math.max(1, workers) };
    admission.limit = nextLimit(admission.limit, load);
    admission.maxWaiting = nextMaxWaiting(servedPerSecond);
  };
  const timer = setInterval(adapt, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
