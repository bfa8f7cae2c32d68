import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress } from '../../base/address.js';
import { envelope } from '../../base/errors.js';
import type { Deps } from '../deps.js';
import type { Route } from '../route.js';
import { rejection } from './admission.js';
import type { Callers } from './callers.js';

const LOG_INTERVAL_MS = 1_000;

/** Health and the operator are served under any load, and what needs no database costs about as little as a rejection. */
export const isShed = ({ auth, database, replies }: Route): boolean =>
  auth.kind !== 'admin' && database !== false && replies[503] === undefined;

const firstStep = (path: string) => /^\/([^/?]*)/.exec(path)?.[1] ?? '';

/** First steps of paths below which every route may be shed. */
function stepsShed(routes: readonly Route[]): ReadonlySet<string> {
  const served = new Set(routes.filter((route) => !isShed(route)).map(({ path }) => firstStep(path)));
  return new Set(routes.map(({ path }) => firstStep(path)).filter((step) => !served.has(step)));
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
 * three times its load would mostly reject. Returns false if the request is to be handled as usual, where it is rejected
 * too if its address or origin matters. Rejections are logged as one line a second.
 */
export function createShedder({ deps, callers, routes, headers }: Options) {
  const { admission, config, counters, ids, log, metrics, ready, timers } = deps;
  const steps = stepsShed(routes);
  const fixed = Object.entries(headers).flat();
  const failure = rejection('overload: too many wait');
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

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!admission.isFull || !steps.has(firstStep(request.url ?? ''))) return false;
    if (request.headers.origin !== undefined && config.corsOrigins.length > 0) return false;
    const isDirect = config.trustProxy.length === 0;
    const caller = callers.of(
      request.headers,
      isDirect ? clientAddress(request.socket.remoteAddress ?? '') : '',
    );
    if ((caller.group === 'network' && !isDirect) || !admission.refuses(caller)) return false;
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
    response.end(request.method === 'HEAD' ? undefined : body);
    counters.request(503, failure.code);
    metrics.request(request.method ?? '', '(none)', 503, 0);
    logSoon();
    return true;
  };
}
