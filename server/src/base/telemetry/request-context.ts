import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that a piece of work belongs to, as its log lines name it. */
export interface RequestInfo {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of its route. */
  readonly endpoint: string;
}

/** One for the process. */
const current = new AsyncLocalStorage<RequestInfo | undefined>();
let isTracking = false;

/**
 * From now on, each piece of work knows its request. Before version 24, Node then makes a call for each promise, which takes a tenth of the
 * CPU time of a write. Later versions keep it for nothing that we can measure.
 */
export function trackRequests(): void {
  isTracking = true;
}

export const isCheapToTrack = (nodeVersion: string): boolean => Number.parseInt(nodeVersion, 10) >= 24;

/** `unknown` if requests are not tracked. Undefined: of no request. */
export const currentRequest = (): RequestInfo | 'unknown' | undefined =>
  isTracking ? current.getStore() : 'unknown';

/** Runs work of that request. Undefined: of no request, for work that several requests share. */
export const runFor = <T>(request: RequestInfo | 'unknown' | undefined, work: () => T): T =>
  isTracking && request !== 'unknown' ? current.run(request, work) : work();
