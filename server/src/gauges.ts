import type { Deps } from './http/deps.js';

type Watched = Pick<
  Deps,
  'metrics' | 'counters' | 'db' | 'verifier' | 'limiter' | 'planLimiter' | 'redis' | 'streams' | 'ready'
>;

/** Registers the gauges and counters that are read at each scrape. */
export function registerGauges({
  metrics,
  counters,
  db,
  verifier,
  limiter,
  planLimiter,
  redis,
  streams,
  ready,
}: Watched): void {
  const { gauge, counter } = metrics;
  gauge('svc_ready', '0 once a shutdown has begun.', () => (ready() ? 1 : 0));
  counter('svc_errors_total', 'Requests that failed, by error code.', () => counters.read().errors, 'code');
  counter('svc_writes_total', 'Committed writes by audit action.', () => counters.read().writes, 'action');

  gauge('svc_database_connections', 'Connections to the database.', () => db.pool().total);
  gauge('svc_database_connections_idle', 'Connections that nobody uses.', () => db.pool().idle);
  gauge('svc_database_waiting', 'Callers that wait for a connection.', () => db.pool().waiting);

  gauge('svc_verifier_workers', 'Threads that can verify.', () => verifier.stats().workers);
  gauge('svc_verifier_queued', 'Places taken in the queue of proofs.', () => verifier.stats().queued);
  gauge('svc_verifier_queue_limit', 'Places that there are.', () => verifier.stats().queueLimit);
  counter('svc_verifier_proofs_total', 'Verdicts given.', () => verifier.stats().verified);
  counter('svc_verifier_batches_total', 'Batches that they were given in.', () => verifier.stats().batches);
  counter('svc_verifier_restarts_total', 'Threads that died or hung.', () => verifier.stats().restarts);

  if (redis)
    gauge('svc_redis_up', '0 while windows are counted by each node alone.', () => (redis.isUp ? 1 : 0));
  gauge(
    'svc_limiter_keys',
    'Addresses and e-mails whose window this process holds.',
    () => limiter.size().keys,
  );
  gauge('svc_limiter_blocked', 'Those of them that are at their limit.', () => limiter.size().blocked);
  gauge('svc_plan_limiter_keys', 'Tenants whose window this process holds.', () => planLimiter.size().keys);
  gauge(
    'svc_plan_limiter_blocked',
    'Those of them that are at their limit.',
    () => planLimiter.size().blocked,
  );

  gauge('svc_streams_open', 'Event streams that this node holds open.', () => streams.size);
}
