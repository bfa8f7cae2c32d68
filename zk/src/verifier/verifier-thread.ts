import { Worker } from 'node:worker_threads';
import { VerifierUnavailableError, type VerifyRequest, type WorkerReply } from './pool-protocol.js';
import type { VerificationKey } from './verification-key.js';

/** The transpiled worker: worker threads cannot load TypeScript, and this path is the same from src/ and dist/. */
const WORKER = new URL('../../dist/verifier/verifier.worker.js', import.meta.url);

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: VerifierUnavailableError) => void;
}

/** One verifier thread, from its start to its death; it is never revived. */
export class VerifierThread {
  readonly #worker: Worker;
  #work: Waiting<readonly boolean[]> | null = null;
  #isReady = false;
  /** Resolves when the thread can verify; rejects with VerifierUnavailableError when it dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the thread is gone, after its work under way was rejected. */
  readonly died: Promise<void>;

  constructor(vkey: VerificationKey) {
    // No environment and no flags of the host: a verifier needs no secret, and loaders would only slow its start.
    this.#worker = new Worker(WORKER, { workerData: { vkey }, env: {}, execArgv: [] });
    let start: Waiting<void> | undefined;
    this.ready = new Promise((resolve, reject) => {
      start = { resolve, reject };
    });
    // A start that nobody awaits any more must not end the process when it fails.
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

  /** True when the thread is up and has nothing to do. */
  get isIdle(): boolean {
    return this.#isReady && this.#work === null;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Verdicts in the batch's order, only while idle. Rejects with VerifierUnavailableError when the thread dies. */
  verify(request: VerifyRequest): Promise<readonly boolean[]> {
    return new Promise((resolve, reject) => {
      // First, because it throws for what cannot be cloned, and the thread would then never be idle again.
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
