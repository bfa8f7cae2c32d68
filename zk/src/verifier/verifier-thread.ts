import { Worker } from 'node:worker_threads';
import { VerifierUnavailableError, type VerifyRequest, type WorkerReply } from './pool-protocol.js';
import type { VerificationKey } from './verification-key.js';

/** The transpiled worker, because worker threads cannot load TypeScript. The path works from both src/ and dist/. */
const WORKER = new URL('../../dist/verifier/verifier.worker.js', import.meta.url);

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: VerifierUnavailableError) => void;
}

/** A verifier thread. It is never restarted; the pool replaces it. */
export class VerifierThread {
  readonly #worker: Worker;
  #work: Waiting<readonly boolean[]> | null = null;
  #isReady = false;
  /** Resolves when the thread is ready. Rejects with VerifierUnavailableError if it dies first. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has exited, after its current batch was rejected. */
  readonly died: Promise<void>;

  constructor(vkey: VerificationKey) {
    // Don't pass the host's environment and flags: a verifier needs no secrets, and loaders would slow its start.
    this.#worker = new Worker(WORKER, { workerData: { vkey }, env: {}, execArgv: [] });
    let start: Waiting<void> | undefined;
    this.ready = new Promise((resolve, reject) => {
      start = { resolve, reject };
    });
    // A failed start that nobody awaits must not end the process.
    this.ready.catch(() => undefined);
    this.#worker.on('message', (reply: WorkerReply) => {
      if (reply === 'ready') {
        this.#isReady = true;
        start?.resolve();
      } else this.#takeWork()?.resolve(reply.verdicts);
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.died = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#isReady = false;
        const error = new VerifierUnavailableError('its thread died', { cause });
        this.#takeWork()?.reject(error);
        start?.reject(error);
        resolve();
      });
    });
  }

  /** True if the thread is ready and has no work. */
  get isIdle(): boolean {
    return this.#isReady && this.#work === null;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves to verdicts in the batch's order. Call it only while idle. Rejects with VerifierUnavailableError if the thread dies. */
  verify(request: VerifyRequest): Promise<readonly boolean[]> {
    return new Promise((resolve, reject) => {
      // Post first: this throws if the data can't be cloned, and setting `#work` before would leave the thread busy forever.
      this.#worker.postMessage(request);
      this.#work = { resolve, reject };
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #takeWork(): Waiting<readonly boolean[]> | null {
    const work = this.#work;
    this.#work = null;
    return work;
  }
}
