import type { PinnedKey } from '../setup/artifacts.js';
import { type Batch, FairQueue, type Source } from './fair-queue.js';
import { VerifierUnavailableError } from './pool-protocol.js';
import type { ParsedProof } from './proof.js';
import { MOST_IN_BATCH } from './verifier.js';
import { VerifierThread } from './verifier-thread.js';

export type { Source } from './fair-queue.js';
export { VerifierUnavailableError } from './pool-protocol.js';

/** One place in the queue, taken before anything is looked up or spent and given back by either method. */
export interface VerifierSlot {
  /**
   * The verdict, some milliseconds later.
   * @throws VerifierUnavailableError when no verdict could be had: neither true nor false, and worth a 503
   * @throws Error when the slot was used or released before
   */
  verify(parsed: ParsedProof): Promise<boolean>;
  /** Gives an unused place back; does nothing once the slot was used or released. */
  release(): void;
}

export interface PoolStats {
  /** Threads that can verify now. */
  readonly workers: number;
  /** Places taken: jobs that wait for a thread, and slots not yet used. */
  readonly queued: number;
  readonly queueLimit: number;
  /** Verdicts given since the start. */
  readonly verified: number;
  /** What they were given in. */
  readonly batches: number;
  /** Threads that died and were replaced, or are being replaced. */
  readonly restarts: number;
}

export interface VerifierPool {
  /** A slot, or null when the queue or the source's share of it is full, or the pool closed: answer 503 with Retry-After. */
  reserve(source: Source): VerifierSlot | null;
  stats(): PoolStats;
  /** Ends the threads; whatever waits is rejected with VerifierUnavailableError. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly key: PinnedKey;
  /** Threads; each holds about 25 MB. */
  readonly workers: number;
  /** Jobs waiting and slots held, at most; those being verified do not count. */
  readonly queueLimit: number;
  /** A job that waited longer is given up. 5 s unless told. */
  readonly deadlineMs?: number;
  /** A thread that takes longer over a batch hangs, and is replaced. 10 s unless told. */
  readonly stuckMs?: number;
}

/** Resolves once every thread can verify. @throws VerifierUnavailableError when one cannot start, e.g. without a build */
export async function createVerifierPool(options: PoolOptions): Promise<VerifierPool> {
  const pool = new Pool(options);
  try {
    await pool.started;
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

interface Job {
  readonly source: Source;
  readonly since: number;
  readonly parsed: ParsedProof;
  readonly resolve: (valid: boolean) => void;
  readonly reject: (error: VerifierUnavailableError) => void;
}

const DEADLINE_MS = 5_000;
const STUCK_MS = 10_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

class Pool implements VerifierPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<VerifierThread>();
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #queue: FairQueue<Job>;
  #verified = 0;
  #batches = 0;
  #restarts = 0;
  #closed = false;
  readonly started: Promise<unknown>;

  constructor(options: PoolOptions) {
    if (!(options.workers >= 1 && options.queueLimit >= 1)) {
      throw new RangeError('a pool needs at least one worker and one queue place');
    }
    this.#options = options;
    this.#queue = new FairQueue({
      limit: options.queueLimit,
      batchLimit: MOST_IN_BATCH,
      now: () => performance.now(),
    });
    this.started = Promise.all(Array.from({ length: options.workers }, () => this.#startThread(0).ready));
  }

  reserve(source: Source): VerifierSlot | null {
    if (this.#closed || !this.#queue.enter(source)) return null;
    let open = true;
    const close = (): boolean => {
      const wasOpen = open;
      open = false;
      return wasOpen;
    };
    return {
      verify: async (parsed) => {
        if (!close()) throw new Error('a verifier slot serves one verification');
        return this.#enqueue(source, parsed);
      },
      release: () => {
        if (close()) this.#queue.leave(source);
      },
    };
  }

  stats(): PoolStats {
    return {
      workers: [...this.#threads].filter((thread) => thread.isReady).length,
      queued: this.#queue.places,
      queueLimit: this.#options.queueLimit,
      verified: this.#verified,
      batches: this.#batches,
      restarts: this.#restarts,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const retry of this.#retries) clearTimeout(retry);
    this.#rejectQueue('it is closing');
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #enqueue(source: Source, parsed: ParsedProof): Promise<boolean> {
    // Threads that are still starting count: their start takes a moment, a retry of a failed one may take seconds.
    if (this.#closed || this.#threads.size === 0) {
      this.#queue.leave(source);
      return Promise.reject(
        new VerifierUnavailableError(this.#closed ? 'it is closing' : 'no thread is left'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ source, since: performance.now(), parsed, resolve, reject });
      this.#dispatch();
    });
  }

  /** Whatever waits when a thread is free is its next batch; a lone job is one at once. */
  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isIdle) continue;
      const batch = this.#nextBatch();
      if (batch === undefined) return;
      void this.#run(thread, batch);
    }
  }

  #nextBatch(): Batch<Job> | undefined {
    const oldest = performance.now() - (this.#options.deadlineMs ?? DEADLINE_MS);
    for (const job of this.#queue.drop(({ since }) => since < oldest))
      job.reject(new VerifierUnavailableError('it waited too long'));
    return this.#queue.take();
  }

  async #run(thread: VerifierThread, batch: Batch<Job>): Promise<void> {
    const { jobs, singly } = batch;
    const watch = setTimeout(() => void thread.stop(), this.#options.stuckMs ?? STUCK_MS);
    try {
      const verdicts = await thread.verify({ batch: jobs.map((job) => job.parsed), singly });
      if (verdicts.length !== jobs.length) throw new VerifierUnavailableError('a verdict is missing');
      this.#verified += jobs.length;
      this.#batches++;
      this.#queue.note(batch, verdicts);
      jobs.forEach((job, i) => {
        job.resolve(verdicts[i] === true);
      });
    } catch (error) {
      this.#giveUp(jobs, error);
    } finally {
      clearTimeout(watch);
    }
    this.#dispatch();
  }

  /** A job that lost its thread alone is not tried again; of several, nobody knows whose fault it was. */
  #giveUp(jobs: readonly Job[], error: unknown): void {
    if (jobs.length > 1 && !this.#closed) {
      for (const job of jobs) this.#queue.pushAlone(job);
      return;
    }
    const reason =
      error instanceof VerifierUnavailableError
        ? error
        : new VerifierUnavailableError('the proof could not be sent', { cause: error });
    for (const job of jobs) job.reject(reason);
  }

  /** @param failures starts that failed in a row, which the next retry waits for */
  #startThread(failures: number): VerifierThread {
    const thread = new VerifierThread(this.#options.key.vkey);
    this.#threads.add(thread);
    let wasReady = false;
    thread.ready.then(
      () => {
        wasReady = true;
        this.#dispatch();
      },
      () => undefined,
    );
    void thread.died.then(() => {
      this.#threads.delete(thread);
      if (this.#closed) return;
      this.#restarts++;
      if (wasReady) this.#startThread(0);
      else this.#retryLater(failures);
    });
    return thread;
  }

  #retryLater(failures: number): void {
    if (this.#threads.size === 0) this.#rejectQueue('no thread can start');
    const delay = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      this.#startThread(failures + 1);
    }, delay);
    retry.unref();
    this.#retries.add(retry);
  }

  #rejectQueue(reason: string): void {
    for (const job of this.#queue.clear()) job.reject(new VerifierUnavailableError(reason));
  }
}
