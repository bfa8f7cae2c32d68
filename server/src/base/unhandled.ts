import type { EventEmitter } from 'node:events';
import type { Log } from './log.js';
import { currentRequest } from './request-context.js';

/**
 * Logs and counts the unhandled rejections of requests. Without this, a promise that one request forgot would end the process, and
 * all other requests with it. Any other unhandled rejection is thrown again, which ends the process: its state is unknown.
 * Returns the reading of the counter.
 */
export function watchRejections(log: Log, from: EventEmitter = process): () => number {
  let count = 0;
  from.on('unhandledRejection', (reason: unknown) => {
    const request = currentRequest();
    if (request === undefined) throw reason;
    count += 1;
    const { requestId, method, endpoint } = request;
    log.error({ requestId, method, endpoint, err: reason }, 'unhandled rejection');
  });
  return () => count;
}
