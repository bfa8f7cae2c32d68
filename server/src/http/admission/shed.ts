import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { clientAddress } from '../../base/address.js';
import { envelope } from '../../base/errors.js';
import type { Deps } from '../deps.js';
import type { Route } from '../route.js';
import { rejection } from './admission.js';
import type { Callers } from './callers.js';

const LOG_INTERVAL_MS = 1_000;
/** The share of its time that a node spends on immediate rejections, and how much more it may spend in a burst. */
const SHARE = 0.15;
const BURST_MS = 20;
/** How long a rejection is held beyond that share. Clients that repeat their requests immediately can't take the node's time then. */
export const HOLD_MS = 1_000;
const MAX_HELD = 10_000;

/** Health and the operator are served under any load, and what needs no database costs about as little as a rejection. */
export const isShed = ({ auth, database, replies }: Route): boolean =>
  auth.kind !== 'admin' && database !== false && replies[503] === undefined;

const firstStep = (path: string) => /^\/([^/?]*)/.exec(path)?.[1] ?? '';

/** First steps of paths below which every route may be shed. */
function stepsShed(routes: readonly Route[]): ReadonlySet<string> {
  const served = new Set(routes.filter((route) => !isShed(route)).map(({ path }) => firstStep(path)));
  return new Set(routes.map(({ path }) => firstStep(path)).filter((step) => !served.has(step)));
}

/** Time that refills by a share of the time that passes. All times are in milliseconds. */
export function createTimeBudget(share: number, burst: number) {
  let left = burst;
  let refilledAt = 0;
  return {
    hasLeft(now: number): boolean {
      left = Math.min(burst, left + (now - refilledAt) * share);
      refilledAt = now;
      return left > 0;
    },
    spend(time: number): void {
      left = Math.max(-burst, left - time);
    },
  };
}

interface Options {
  readonly deps: Pick<
    Deps,
    'admission' | 'config' | 'counters' | 'ids' | 'log' | 'metrics' | 'ready' | 'timers'
  >;
  readonly callers: Callers;
  readonly routes: readonly Route[];
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Rejects a request for which the queue has no room, before the framework sees it: that costs a third. Otherwise a node at
 * three times its load would mostly reject. While the node shuts down, it rejects what has no slot. Returns false if the request is to be handled as usual, where it is rejected
 * too if its address or origin matters. Rejections are logged as one line a second.
 */
export function createShedder({ deps, callers, routes, headers }: Options) {
  const { admission, config, counters, ids, log, metrics, ready, timers } = deps;
  const steps = stepsShed(routes);
  const fixed = Object.entries(headers).flat();
  const failure = rejection('overload: too many wait');
  const budget = createTimeBudget(SHARE, BURST_MS);
  let held = 0;
  let unlogged = 0;

  const logSoon = () => {
    unlogged += 1;
    if (unlogged > 1) return;
    timers.after(LOG_INTERVAL_MS, () => {
      log.warn(
        { requests: unlogged, status: 503, error: failure.code, because: failure.options.because },
        'overload',
      );
      unlogged = 0;
    });
  };

  function reject({ method = '' }: IncomingMessage, response: ServerResponse): void {
    const started = performance.now();
    const requestId = ids();
    const body = JSON.stringify(envelope(failure, requestId, config.docsOrigin));
    response.writeHead(503, [
      ...fixed,
      ...['x-request-id', requestId, 'retry-after', String(failure.options.retryAfterSeconds)],
      ...[
        'content-type',
        'application/json; charset=utf-8',
        'content-length',
        String(Buffer.byteLength(body)),
      ],
      ...(ready() ? [] : ['connection', 'close']),
    ]);
    response.end(method === 'HEAD' ? undefined : body);
    counters.request(503, failure.code);
    metrics.request(method, '(none)', 503, 0);
    logSoon();
    budget.spend(performance.now() - started);
  }

  /** Sends the rejection a second later. */
  function hold(request: IncomingMessage, response: ServerResponse): void {
    held += 1;
    timers.after(HOLD_MS, () => {
      held -= 1;
      reject(request, response);
    });
  }

  function isRejected({ url = '', headers: sent, socket }: IncomingMessage): boolean {
    if (!(admission.isFull || admission.isRefusing) || !steps.has(firstStep(url))) return false;
    if (sent.origin !== undefined && config.corsOrigins.length > 0) return false;
    const isDirect = config.trustProxy.length === 0;
    const caller = callers.of(sent, isDirect ? clientAddress(socket.remoteAddress ?? '') : '');
    if (!isDirect && caller.group !== 'account') return false;
    return admission.isRefusing || admission.refuses(caller);
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isRejected(request)) return false;
    if (admission.isRefusing || budget.hasLeft(performance.now()) || held >= MAX_HELD)
      reject(request, response);
    else hold(request, response);
    return true;
  };
}
