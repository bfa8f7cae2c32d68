import type { PinnedKey } from './artifacts.js';
import { VerifierUnavailableError } from './pool-protocol.js';
import type { ParsedProof } from './proof.js';
import { VerifierThread } from './verifier-thread.js';

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
  /** Threads that died and were replaced, or are being replaced. */
  readonly restarts: number;
}

/** `low` is served when nothing else waits, and fills at most a quarter of the queue. */
export type VerifierPriority = 'normal' | 'low';

export interface VerifierPool {
  /** A slot, or null when the queue is full or the pool closed: answer 503 with Retry-After. */
  reserve(priority?: VerifierPriority): VerifierSlot | null;
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
  readonly parsed: ParsedProof;
  readonly resolve: (valid: boolean) => void;
  readonly reject: (error: VerifierUnavailableError) => void;
}

const LOW_SHARE = 0.25;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

class Pool implements VerifierPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<VerifierThread>();
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #queues: Readonly<Record<VerifierPriority, Job[]>> = { normal: [], low: [] };
  #held = 0;
  #verified = 0;
  #restarts = 0;
  #closed = false;
  readonly started: Promise<unknown>;

  constructor(options: PoolOptions) {
    if (!(options.workers >= 1 && options.queueLimit >= 1)) {
      throw new RangeError('a pool needs at least one worker and one queue place');
    }
    this.#options = options;
    this.started = Promise.all(Array.from({ length: options.workers }, () => this.#startThread(0).ready));
  }

  get #taken(): number {
    return this.#held + this.#queues.normal.length + this.#queues.low.length;
  }

  reserve(priority: VerifierPriority = 'normal'): VerifierSlot | null {
    const limit = this.#options.queueLimit * (priority === 'low' ? LOW_SHARE : 1);
    if (this.#closed || this.#taken >= limit) return null;
    this.#held++;
    let open = true;
    const close = (): boolean => {
      const wasOpen = open;
      if (wasOpen) this.#held--;
      open = false;
      return wasOpen;
    };
    return {
      verify: async (parsed) => {
        if (!close()) throw new Error('a verifier slot serves one verification');
        return this.#enqueue(parsed, priority);
      },
      release: () => void close(),
    };
  }

  stats(): PoolStats {
    return {
      workers: [...this.#threads].filter((thread) => thread.isReady).length,
      queued: this.#taken,
      queueLimit: this.#options.queueLimit,
      verified: this.#verified,
      restarts: this.#restarts,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const retry of this.#retries) clearTimeout(retry);
    this.#rejectQueue('it is closing');
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #enqueue(parsed: ParsedProof, priority: VerifierPriority): Promise<boolean> {
    // Threads that are still starting count: their start takes a moment, a retry of a failed one may take seconds.
    if (this.#closed || this.#threads.size === 0) {
      return Promise.reject(
        new VerifierUnavailableError(this.#closed ? 'it is closing' : 'no thread is left'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queues[priority].push({ parsed, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.isIdle) continue;
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      void this.#run(thread, batch);
    }
  }

  /** What a free thread gets. One job: whether to take more, and whose, is decided here and nowhere else. */
  #nextBatch(): readonly Job[] {
    const { normal, low } = this.#queues;
    return (normal.length > 0 ? normal : low).splice(0, 1);
  }

  async #run(thread: VerifierThread, batch: readonly Job[]): Promise<void> {
    try {
      const verdicts = await thread.verify(batch.map((job) => job.parsed));
      if (verdicts.length !== batch.length) throw new VerifierUnavailableError('a verdict is missing');
      this.#verified += batch.length;
      batch.forEach((job, i) => {
        job.resolve(verdicts[i] === true);
      });
    } catch (error) {
      const reason =
        error instanceof VerifierUnavailableError
          ? error
          : new VerifierUnavailableError('the proof could not be sent', { cause: error });
      for (const job of batch) job.reject(reason);
    }
    this.#dispatch();
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
    for (const queue of Object.values(this.#queues)) {
      for (const job of queue.splice(0)) job.reject(new VerifierUnavailableError(reason));
    }
  }
}
