import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that a piece of work belongs to, as its log lines name it. */
export interface RequestInfo {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of its route. */
  readonly endpoint: string;
}

/** One for the process: Node keeps it for each promise, timer and callback that the work creates. */
const current = new AsyncLocalStorage<RequestInfo | undefined>();

export const currentRequest = (): RequestInfo | undefined => current.getStore();

/** Runs work of that request. Undefined: of no request, for work that several requests share. */
export const runFor = <T>(request: RequestInfo | undefined, work: () => T): T => current.run(request, work);
