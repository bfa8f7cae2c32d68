import { Worker } from 'node:worker_threads';
import { patiently } from '../patiently.js';
import type { CheckedVerdicts } from './checked-verifier.js';
import {
  type PoolMessage,
  type ThreadMessage,
  type ThreadOptions,
  type UnusableKernel,
  VerifierUnavailableError,
  type VerifyRequest,
} from './pool-protocol.js';
import type { VerifierKernel } from './verifier.js';

/** The transpiled worker, because worker threads cannot load TypeScript. The path works from both src/ and dist/. */
const WORKER = new URL('../../dist/verifier/verifier.worker.js', import.meta.url);

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: VerifierUnavailableError) => void;
}

/** What a thread reports besides verdicts. */
export interface ThreadListener {
  unusable(kernel: UnusableKernel): void;
  checked(result: Omit<CheckedVerdicts, 'verdicts'>): void;
}

/** A verifier thread. It is never restarted; the pool replaces it. */
export class VerifierThread {
  readonly #worker: Worker;
  readonly #stuckMs: number;
  #work: Waiting<readonly boolean[]> | null = null;
  /** Runs from a request until its verdicts were sent and confirmed. */
  #busy: (() => void) | undefined;
  #kernel: VerifierKernel | undefined;
  #isReady = false;
  /** Resolves when the thread is ready. Rejects with VerifierUnavailableError if it dies first. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has exited, after its current batch was rejected. */
  readonly died: Promise<void>;

  /** @param stuckMs a batch that takes longer ends the thread */
  constructor(options: ThreadOptions, stuckMs: number, listener: ThreadListener) {
    this.#stuckMs = stuckMs;
    // Don't pass the host's environment and flags: a verifier needs no secrets, and loaders would slow its start.
    this.#worker = new Worker(WORKER, { workerData: options, env: {}, execArgv: [] });
    let start: Waiting<void> | undefined;
    this.ready = new Promise((resolve, reject) => {
      start = { resolve, reject };
    });
    // A failed start that nobody awaits must not end the process.
    this.ready.catch(() => undefined);
    this.#worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'ready') {
        this.#isReady = true;
        this.#kernel ??= message.kernel;
        for (const kernel of message.unusable) listener.unusable(kernel);
        start?.resolve();
        return;
      }
      if (message.kind === 'verdicts') this.#takeWork()?.resolve(message.verdicts);
      else this.#rest();
      listener.checked(message);
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.died = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#isReady = false;
        this.#rest();
        const error = new VerifierUnavailableError('its thread died', { cause });
        this.#takeWork()?.reject(error);
        start?.reject(error);
        resolve();
      });
    });
  }

  /** True if the thread is ready and has no work. */
  get isIdle(): boolean {
    return this.#isReady && this.#busy === undefined;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** What it verifies with; undefined until it is ready. */
  get kernel(): VerifierKernel | undefined {
    return this.#kernel;
  }

  /** Verifies everything after this call with mcl. */
  useMcl(): void {
    this.#kernel = 'mcl';
    this.#worker.postMessage('use mcl' satisfies PoolMessage);
  }

  /** Resolves to verdicts in the batch's order. Call it only while idle. Rejects with VerifierUnavailableError if the thread dies. */
  verify(request: VerifyRequest): Promise<readonly boolean[]> {
    return new Promise((resolve, reject) => {
      // Post first: this throws if the data can't be cloned, and setting `#work` before would leave the thread busy forever.
      this.#worker.postMessage(request);
      this.#work = { resolve, reject };
      this.#busy = patiently(this.#stuckMs, () => void this.stop());
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #rest(): void {
    this.#busy?.();
    this.#busy = undefined;
  }

  #takeWork(): Waiting<readonly boolean[]> | null {
    const work = this.#work;
    this.#work = null;
    return work;
  }
}
