import type { EventEmitter } from 'node:events';
import type { Log } from './log.js';
import { currentRequest, type RequestInfo } from './request-context.js';

const NO_NAMES: Partial<RequestInfo> = {};

/**
 * Logs and counts the unhandled rejections of requests. Without this, a promise that one request forgot would end the process, and
 * all other requests with it. Any other unhandled rejection is thrown again, which ends the process: its state is unknown. If requests are not
 * tracked, every rejection may be one of a request. Returns the reading of the counter.
 */
export function watchRejections(log: Log, from: EventEmitter = process): () => number {
  let count = 0;
  from.on('unhandledRejection', (reason: unknown) => {
    const request = currentRequest();
    if (request === undefined) throw reason;
    count += 1;
    const { requestId, method, endpoint } = request === 'unknown' ? NO_NAMES : request;
    log.error({ requestId, method, endpoint, err: reason }, 'unhandled rejection');
  });
  return () => count;
}
