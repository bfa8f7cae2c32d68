/** Time and chance as the client uses them; tests put their own in place. */
export interface Timing {
  /** Unix time in milliseconds, by this machine's clock. */
  now(): number;
  /** Runs something after so many milliseconds; answers how to call it off. */
  after(ms: number, run: () => void): () => void;
  /** Uniform in [0, 1): spreads retries, and guards nothing. */
  random(): number;
}

/** @internal */
export const systemTiming: Timing = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** @internal Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
export function sleep(timing: Timing, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const callOff = timing.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      callOff();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** @internal A controller that the caller's signal aborts too; `release` lets go of that signal. */
export function linkedController(signal: AbortSignal | undefined): AbortController & { release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return Object.assign(controller, { release: () => signal?.removeEventListener('abort', abort) });
}
