/** The client's clock, timers and randomness, which tests replace. */
export interface Timing {
  /** Unix time in milliseconds, by this machine's clock. */
  now(): number;
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Uniform in [0, 1). Spreads retries; not for security. */
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

/** @internal Resolves after `ms` milliseconds. Rejects with the signal's reason if it is aborted first. */
export function sleep(timing: Timing, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = timing.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * @internal A controller that the caller's signal also aborts. `release` detaches it from that signal. In engines without controllers, the
 * caller's signal is all, and the network has to end by itself.
 */
export function linkedController(
  signal: AbortSignal | undefined,
): Pick<AbortController, 'signal' | 'abort'> & { release(): void } {
  const controller = globalThis.AbortController
    ? new AbortController()
    : { signal: signal as AbortSignal, abort() {} };
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return Object.assign(controller, { release: () => signal?.removeEventListener('abort', abort) });
}
