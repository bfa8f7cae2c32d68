import { VERIFIER_KERNELS } from '@svc/zk/verifier/verifier';
import type { MachineStatus } from './db/citus/machines.js';
import type { Deps } from './http/deps.js';

type Watched = Pick<
  Deps,
  | 'metrics'
  | 'counters'
  | 'db'
  | 'machines'
  | 'history'
  | 'replica'
  | 'verifier'
  | 'limiter'
  | 'planLimiter'
  | 'redis'
  | 'mail'
  | 'streams'
  | 'admission'
  | 'ready'
  | 'version'
>;

/** Registers the gauges and counters that are read at each scrape. */
export function registerGauges(watched: Watched): void {
  const { metrics, counters, ready, version } = watched;
  const { gauge, counter } = metrics;
  gauge('svc_build_info', 'The version of the service. Always 1.', () => ({ [version]: 1 }), 'version');
  gauge('svc_ready', '0 once a shutdown has begun.', () => (ready() ? 1 : 0));
  counter('svc_errors_total', 'Failed requests by error code.', () => counters.read().errors, 'code');
  counter('svc_writes_total', 'Committed writes by audit action.', () => counters.read().writes, 'action');
  watchDatabase(watched);
  watchVerifier(watched);
  watchRequests(watched);
  watchMail(watched);
}

function watchDatabase({ metrics, db, machines, history, replica }: Watched): void {
  const { gauge, counter } = metrics;
  gauge('svc_database_connections_max', 'Connections to the database that may be open.', () => db.pool().max);
  gauge('svc_database_connections', 'Open connections to the database.', () => db.pool().total);
  gauge('svc_database_connections_idle', 'Idle connections to the database.', () => db.pool().idle);
  gauge('svc_database_waiting', 'Callers that wait for a connection.', () => db.pool().waiting);

  if (machines) {
    const read = (value: (status: MachineStatus) => number) => () => {
      const status = machines.status();
      return status ? value(status) : 0;
    };
    gauge(
      'svc_database_machines',
      'Machines of the database.',
      read((status) => status.machines),
    );
    gauge(
      'svc_database_machines_lost',
      'Machines of the database that do not respond.',
      read(({ lost }) => lost),
    );
    gauge(
      'svc_database_affected_accounts_ratio',
      'The share of the accounts whose rows are on a lost machine, from 0 to 1.',
      read(({ affectedAccounts }) => affectedAccounts),
    );
  }
  if (replica) {
    gauge('svc_replica_up', '0 while the read replica is not used.', () => (replica.status === 'ok' ? 1 : 0));
    gauge(
      'svc_replica_lag_seconds',
      'How far the read replica was behind at the last measurement.',
      () => replica.lagMs / 1000,
    );
    counter(
      'svc_replica_reads_total',
      'Reads for a replica: by the replica, or by the primary server because the replica was behind or unavailable.',
      () => ({ ...history.reads }),
      'source',
    );
  }
}

function watchVerifier({ metrics, verifier }: Watched): void {
  const { gauge, counter } = metrics;
  gauge('svc_verifier_workers', 'Threads that can verify.', () => verifier.stats().workers);
  gauge('svc_verifier_queued', 'Proofs that wait to be verified.', () => verifier.stats().queued);
  gauge('svc_verifier_queue_limit', 'Maximum number of proofs that wait.', () => verifier.stats().queueLimit);
  counter('svc_verifier_proofs_total', 'Proofs verified.', () => verifier.stats().verified);
  counter('svc_verifier_batches_total', 'Batches of proofs verified.', () => verifier.stats().batches);
  gauge(
    'svc_zk_kernel',
    'What verifies proofs: 1 for the kernel in use, 0 for the others.',
    () => {
      const { kernel } = verifier.stats();
      return Object.fromEntries(VERIFIER_KERNELS.map((name) => [name, name === kernel ? 1 : 0]));
    },
    'kernel',
  );
  counter(
    'svc_verifier_second_opinions_total',
    'Proofs that mcl verified too, after the kernel rejected or accepted them.',
    () => {
      const { rejections, acceptances } = verifier.stats().opinions;
      return { rejected: rejections, accepted: acceptances };
    },
    'verdict',
  );
  counter(
    'svc_verifier_second_opinions_skipped_total',
    'Rejected proofs that mcl did not verify, because of the limit.',
    () => verifier.stats().opinions.skipped,
  );
  counter(
    'svc_verifier_differences_total',
    'Proofs on which mcl disagreed with the verdict of the kernel. Anything but 0 is a fault.',
    () => ({ ...verifier.stats().differences }),
    'verdict',
  );
  counter('svc_verifier_restarts_total', 'Threads that died or hung.', () => verifier.stats().restarts);
}

function watchRequests({ metrics, limiter, planLimiter, redis, streams, admission }: Watched): void {
  const { gauge, counter } = metrics;
  if (redis) gauge('svc_redis_up', '0 while each node counts rate limits alone.', () => (redis.isUp ? 1 : 0));
  gauge(
    'svc_limiter_keys',
    'Addresses and e-mails with a rate limit window in this process.',
    () => limiter.size().keys,
  );
  gauge('svc_limiter_blocked', 'Addresses and e-mails at their limit.', () => limiter.size().blocked);
  gauge(
    'svc_plan_limiter_keys',
    'Tenants with a rate limit window in this process.',
    () => planLimiter.size().keys,
  );
  gauge('svc_plan_limiter_blocked', 'Tenants at their limit.', () => planLimiter.size().blocked);

  gauge('svc_streams_open', 'Open event streams of this node.', () => streams.size);

  gauge('svc_admission_limit', 'How many requests this node works on at a time.', () => admission.limit);
  gauge('svc_admission_in_progress', 'Requests that this node works on.', () => admission.inProgress);
  gauge('svc_admission_waiting', 'Requests that wait to be worked on.', () => admission.waiting);
  counter(
    'svc_admission_rejected_total',
    'Requests rejected with 503 before any work.',
    () => admission.rejected,
  );
}

function watchMail({ metrics, mail }: Watched): void {
  if (!mail) return;
  const { gauge, counter } = metrics;
  gauge('svc_mail_up', '0 while the mail server cannot be used.', () => (mail.stats().isUp ? 1 : 0));
  gauge('svc_mail_waiting', 'E-mails in memory that are not sent yet.', () => mail.stats().held);
  counter(
    'svc_mail_total',
    'E-mails: accepted by the mail server, given up, or dropped because too many waited or the server shut down.',
    () => mail.stats().results,
    'result',
  );
}
