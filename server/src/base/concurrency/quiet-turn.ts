import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A turn in which something was read takes longer. */
const QUIET_MS = 1;
/** How long a turn without a new connection has to be a short one as well. */
const MAX_BUSY_MS = 500;
const MAX_WAIT_MS = 2_000;

/**
 * Resolves after a turn of the event loop in which the listener got no connection, so that none waits to be accepted: closing the
 * listener would reset those. Node accepts one in a turn. Waits for two seconds at most.
 */
export async function quietTurn(listener: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  listener.on('connection', count);
  const began = performance.now();
  for (let started = began; started < began + MAX_WAIT_MS; ) {
    const before = accepted;
    await nextTurn();
    const now = performance.now();
    const isQuiet = now - started < QUIET_MS || now - began > MAX_BUSY_MS;
    // The first turn may have begun in the middle.
    if (accepted === before && isQuiet && started !== began) break;
    started = now;
  }
  listener.off('connection', count);
}
