/**
 * Runs the work one at a time. Callers that come during a run share the next one, so each waits for a run that began after its
 * call, and at most one run waits behind another.
 */
export function sharingRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
}
