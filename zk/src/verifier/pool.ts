import type { PinnedKey } from '../setup/artifacts.js';
import type { CheckedVerdicts, Difference, Opinions } from './checked-verifier.js';
import { type Batch, FairQueue, type Source } from './fair-queue.js';
import { type UnusableKernel, VerifierUnavailableError } from './pool-protocol.js';
import type { ParsedProof } from './proof.js';
import { MAX_BATCH_SIZE, VERIFIER_KERNELS, type VerifierKernel } from './verifier.js';
import { VerifierThread } from './verifier-thread.js';

export type { Source } from './fair-queue.js';
export { VerifierUnavailableError } from './pool-protocol.js';

/** A slot in the queue, reserved before anything is looked up or spent. Either method releases it. */
export interface VerifierSlot {
  /**
   * Resolves to the verdict within milliseconds.
   * @throws VerifierUnavailableError if the proof could not be verified; return 503
   * @throws Error if the slot was already used or released
   */
  verify(parsed: ParsedProof): Promise<boolean>;
  /** Releases an unused slot. Does nothing if the slot was used or released. */
  release(): void;
}

export interface PoolStats {
  /** Threads that are ready. */
  readonly workers: number;
  /** Waiting jobs, plus reserved slots that are not used yet. */
  readonly queued: number;
  readonly queueLimit: number;
  /** Proofs verified since the start. */
  readonly verified: number;
  /** Batches verified since the start. */
  readonly batches: number;
  /** Threads that died and were replaced, or are being replaced. */
  readonly restarts: number;
  /** What the threads verify with; the slowest if they differ. */
  readonly kernel: VerifierKernel;
  /** How often mcl checked the kernel since the start. */
  readonly opinions: Opinions;
  /** How often they disagreed, by what the kernel had returned. */
  readonly differences: { readonly accepted: number; readonly rejected: number };
}

export interface VerifierPool {
  /** Reserves a slot. Null if the queue or the source's share is full, or the pool is closed: return 503 with Retry-After. */
  reserve(source: Source): VerifierSlot | null;
  stats(): PoolStats;
  /** Stops the threads and rejects waiting jobs with VerifierUnavailableError. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly key: Pick<PinnedKey, 'vkey'>;
  /** Number of threads. Each uses about 25 MB. */
  readonly workers: number;
  /** Maximum number of waiting jobs and reserved slots. Jobs being verified don't count. */
  readonly queueLimit: number;
  /** Jobs that wait longer are rejected. Default: 5 s. */
  readonly deadlineMs?: number;
  /** A thread that takes longer for a batch is replaced. Default: 10 s. */
  readonly stuckMs?: number;
  /** Forces a kernel. Default: the fastest that works. */
  readonly kernel?: VerifierKernel | undefined;
  /** Called when the kernel and mcl disagree. From then on, mcl verifies everything. */
  readonly onDifference?: (difference: Difference) => void;
  /** Called for each faster kernel that a thread could not use. */
  readonly onUnusable?: (kernel: UnusableKernel) => void;
}

/** Resolves when every thread is ready. @throws VerifierUnavailableError if one cannot start, e.g. without a build */
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
  #forced: VerifierKernel | undefined;
  #lastKernel: VerifierKernel = 'mcl';
  #opinions: Opinions = { rejections: 0, acceptances: 0, skipped: 0 };
  readonly #differences = { accepted: 0, rejected: 0 };
  #closed = false;
  readonly started: Promise<unknown>;

  constructor(options: PoolOptions) {
    if (!(options.workers >= 1 && options.queueLimit >= 1)) {
      throw new RangeError('a pool needs at least one worker and one queue slot');
    }
    this.#options = options;
    this.#forced = options.kernel;
    this.#queue = new FairQueue({
      limit: options.queueLimit,
      batchLimit: MAX_BATCH_SIZE,
      now: () => performance.now(),
    });
    this.started = Promise.all(Array.from({ length: options.workers }, () => this.#startThread(0).ready));
  }

  reserve(source: Source): VerifierSlot | null {
    if (this.#closed || !this.#queue.reserve(source)) return null;
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
        if (close()) this.#queue.release(source);
      },
    };
  }

  stats(): PoolStats {
    return {
      workers: [...this.#threads].filter((thread) => thread.isReady).length,
      queued: this.#queue.slots,
      queueLimit: this.#options.queueLimit,
      verified: this.#verified,
      batches: this.#batches,
      restarts: this.#restarts,
      kernel: this.#kernel(),
      opinions: this.#opinions,
      differences: { ...this.#differences },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const retry of this.#retries) clearTimeout(retry);
    this.#rejectQueue('it is closing');
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #enqueue(source: Source, parsed: ParsedProof): Promise<boolean> {
    // Count threads that are starting, because a start is quick. Restarting a failed thread may take seconds.
    if (this.#closed || this.#threads.size === 0) {
      this.#queue.release(source);
      return Promise.reject(
        new VerifierUnavailableError(this.#closed ? 'it is closing' : 'no thread is left'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ source, since: performance.now(), parsed, resolve, reject });
      this.#dispatch();
    });
  }

  /** Gives each idle thread a batch of the waiting jobs. A single job is dispatched immediately. */
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
    for (const job of this.#queue.removeExpired(({ since }) => since < oldest))
      job.reject(new VerifierUnavailableError('it waited too long'));
    return this.#queue.take();
  }

  async #run(thread: VerifierThread, batch: Batch<Job>): Promise<void> {
    const { jobs, singly } = batch;
    try {
      const verdicts = await thread.verify({
        batch: jobs.map((job) => job.parsed),
        singly,
        confirm: jobs.map(({ source }) => source.confirm === true),
      });
      if (verdicts.length !== jobs.length) throw new VerifierUnavailableError('a verdict is missing');
      this.#verified += jobs.length;
      this.#batches++;
      this.#queue.record(batch, verdicts);
      jobs.forEach((job, i) => {
        job.resolve(verdicts[i] === true);
      });
    } catch (error) {
      this.#handleFailure(jobs, error);
    }
    this.#dispatch();
  }

  /** Rejects a job that was alone when its thread died. If there were several, any could be the cause, so retry each alone. */
  #handleFailure(jobs: readonly Job[], error: unknown): void {
    if (jobs.length > 1 && !this.#closed) {
      for (const job of jobs) this.#queue.requeueAlone(job);
      return;
    }
    const reason =
      error instanceof VerifierUnavailableError
        ? error
        : new VerifierUnavailableError('the proof could not be sent', { cause: error });
    for (const job of jobs) job.reject(reason);
  }

  /** @param failures consecutive failed starts, which determine the delay of the next one */
  #startThread(failures: number): VerifierThread {
    const thread = new VerifierThread(
      { vkey: this.#options.key.vkey, kernel: this.#forced },
      this.#options.stuckMs ?? STUCK_MS,
      {
        unusable: (kernel) => this.#options.onUnusable?.(kernel),
        checked: (result) => this.#count(result),
      },
    );
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

  #kernel(): VerifierKernel {
    const kernels = [...this.#threads].map((thread) => thread.kernel);
    this.#lastKernel = VERIFIER_KERNELS.findLast((name) => kernels.includes(name)) ?? this.#lastKernel;
    return this.#lastKernel;
  }

  /** After a difference, mcl verifies everything. The thread that noticed it does so already. */
  #count({ opinions, differences }: Omit<CheckedVerdicts, 'verdicts'>): void {
    this.#opinions = {
      rejections: this.#opinions.rejections + opinions.rejections,
      acceptances: this.#opinions.acceptances + opinions.acceptances,
      skipped: this.#opinions.skipped + opinions.skipped,
    };
    if (differences.length > 0) {
      this.#forced = 'mcl';
      for (const thread of this.#threads) thread.useMcl();
    }
    for (const difference of differences) {
      this.#differences[difference.kernel]++;
      this.#options.onDifference?.(difference);
    }
    this.#dispatch();
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
