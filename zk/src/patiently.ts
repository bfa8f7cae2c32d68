/** A stall of the event loop up to this is usual. */
const STALL_MS = 10;
const MAX_SLICE_MS = 100;
/** How much more time a loop that is never free gives. */
const MAX_EXTRA_MS = 900;

/**
 * Calls `late` when the other side has taken `ms`, unless the returned function cancels it. Time in which our own event loop was
 * stalled doesn't count, because then nothing was sent or read. Before the call, everything that has arrived is read. Never keeps the
 * process alive.
 */
export function patiently(ms: number, late: () => void): () => void {
  const slice = Math.max(1, Math.min(ms / 5, MAX_SLICE_MS));
  const last = performance.now() + ms + Math.min(3 * ms, MAX_EXTRA_MS);
  let left = ms;
  let timer: NodeJS.Timeout;
  let hasEnded = false;
  const wait = () => {
    const started = performance.now();
    const length = Math.min(slice, left);
    timer = setTimeout(() => {
      const now = performance.now();
      if (now - started - length <= STALL_MS) left -= now - started;
      if (left > 0 && now < last) wait();
      else afterReading(() => hasEnded || late());
    }, length).unref();
  };
  wait();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

/** Timers run before what has arrived is read, and some protocols need a second turn: the first may only decrypt it. */
const afterReading = (run: () => void) => setImmediate(() => setImmediate(() => setImmediate(run)));
