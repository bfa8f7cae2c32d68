import { sleep } from '../transport/timing.js';
import type { RequestOptions, Transport } from '../transport/transport.js';

/** @internal The longest that the service lets a request wait. */
export const WAIT_SECONDS = 25;
/** The service does not wait when too many requests do. */
const PAUSE_MS = 1_000;

/** @internal Asks again until the answer is the one that is waited for, with a pause if the service did not wait. */
export async function longPoll<T>(
  transport: Transport,
  ask: (options: RequestOptions) => Promise<T>,
  isDone: (answer: T) => boolean,
  options: RequestOptions = {},
): Promise<T> {
  const { timing, timeoutMs } = transport.settings;
  const wholeMs = (options.timeoutMs ?? timeoutMs) + WAIT_SECONDS * 1000;
  for (;;) {
    const startedAt = timing.now();
    const answer = await ask({ ...options, timeoutMs: wholeMs });
    if (isDone(answer)) return answer;
    if (timing.now() - startedAt < PAUSE_MS) await sleep(timing, PAUSE_MS, options.signal);
  }
}
