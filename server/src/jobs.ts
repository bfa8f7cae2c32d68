import { setMaxListeners } from 'node:events';
import { setExpectedValues } from './db/citus/planner-settings.js';
import type { DatabaseClock } from './db/database-clock.js';
import { deleteExpiredRows, type Expiry } from './db/expiry.js';
import type { BatchLimits } from './db/in-batches.js';
import { LOGIN_ADDRESS_EXPIRY, LOGIN_SESSION_EXPIRY } from './features/accounts/accounts.js';
import { deleteClosedAccounts } from './features/accounts/deletion.js';
import { LOGIN_FAILURE_EXPIRY, sumLoginFailures } from './features/accounts/logins/login-failures.js';
import { PASSWORD_RESET_EXPIRY } from './features/accounts/logins/password-reset.js';
import { CHALLENGE_EXPIRY } from './features/accounts/passkeys/challenges.js';
import { ANCHORING_INTERVAL_MS, whenChainIsDue } from './features/anchors/anchors.js';
import { expireApprovals } from './features/approvals/ends.js';
import { EVIDENCE_EXPIRY } from './features/attestation/attestation.js';
import { signBehind, signGrown } from './features/audit/tree/jobs.js';
import { BROWSER_EXPIRY } from './features/browsers/browsers.js';
import { CODE_EXPIRY } from './features/codes/codes.js';
import { endUnanswered } from './features/corrections/ends.js';
import { SIGNATURE_EXPIRY } from './features/devices/devices.js';
import { addLeaves } from './features/identities/identities.js';
import { LEAD_EXPIRY } from './features/leads/leads.js';
import { rotateKeys } from './features/openid-provider/keys/rotation.js';
import { createLogouts } from './features/openid-provider/logouts.js';
import { OIDC_EXPIRIES } from './features/openid-provider/openid-provider.js';
import { PAIRING_EXPIRIES } from './features/pairing/pairing.js';
import { ADDITION_EXPIRY } from './features/phones/additions/additions.js';
import { NONCE_EXPIRY } from './features/proofs/proofs.js';
import { completeRecoveries } from './features/registrations/recoveries/recoveries.js';
import { expireSessions } from './features/registrations/registrations.js';
import { applyHoursRetention } from './features/retention/hours.js';
import { applyRetention } from './features/retention/retention.js';
import { sealChains } from './features/seals/seals.js';
import { SESSION_EXPIRIES } from './features/sessions/sessions.js';
import { DEMO_IDP_CODE_EXPIRY } from './features/sso/demo/demo-idp.js';
import { SIGN_ON_EXPIRY } from './features/sso/sso.js';
import { STAFF_EXPIRY } from './features/staff/staff.js';
import { announceThresholds, CALL_EXPIRY, HOURS_EXPIRY, REJECTION_EXPIRY } from './features/usage/usage.js';
import { ATTEMPT_EXPIRY, webhookLagSeconds } from './features/webhooks/webhooks.js';
import type { Deps } from './http/deps.js';
import { IDEMPOTENCY_EXPIRY } from './ledger/idempotency.js';
import { unaudited } from './ledger/unaudited.js';
import { sumCounts } from './records/counts.js';

const CLOCK_SYNC_MS = 30_000;
const HOUSEKEEPING_MS = 60_000;
const MACHINES_MS = 5_000;
/** A node that finds a commit in no message finds it here. */
const WEBHOOKS_MS = 1_000;
const WEBHOOK_LAG_MS = 15_000;
const LOGOUTS_MS = 1_000;
/** With the time that a run takes, a tree is at most a second behind its chain. */
const TREES_MS = 500;
const RECOVERIES_MS = 5_000;
const THRESHOLDS_MS = 30_000;
const RETENTION_MS = 2 * 60_000;
const PLANNER_SETTINGS_MS = 60_000;

const EXPIRIES: readonly Expiry[] = [
  NONCE_EXPIRY,
  CODE_EXPIRY,
  SIGNATURE_EXPIRY,
  STAFF_EXPIRY,
  ADDITION_EXPIRY,
  IDEMPOTENCY_EXPIRY,
  ...SESSION_EXPIRIES,
  ...PAIRING_EXPIRIES,
  SIGN_ON_EXPIRY,
  DEMO_IDP_CODE_EXPIRY,
  LEAD_EXPIRY,
  HOURS_EXPIRY,
  CALL_EXPIRY,
  REJECTION_EXPIRY,
  ATTEMPT_EXPIRY,
  LOGIN_FAILURE_EXPIRY,
  LOGIN_ADDRESS_EXPIRY,
  LOGIN_SESSION_EXPIRY,
  PASSWORD_RESET_EXPIRY,
  CHALLENGE_EXPIRY,
  ...OIDC_EXPIRIES,
  BROWSER_EXPIRY,
  EVIDENCE_EXPIRY,
];

/** Deletes the expired rows of all tables. Returns how many seconds each table is behind. */
export const deleteExpired = ({ db, ...limits }: Pick<Deps, 'db'> & BatchLimits) =>
  deleteExpiredRows({ ...limits, db: unaudited(db, 'expired rows') }, EXPIRIES);

export interface Job {
  readonly name: string;
  /** The time between the end of a run and the start of the next. */
  readonly everyMs: number;
  /** Default: the first run starts after `everyMs`. */
  readonly startsImmediately?: true;
  /** The signal is aborted when the process shuts down. A long run should then end early. */
  run(signal: AbortSignal): Promise<void>;
  /** For a job whose runs do not wait for what they begin: resolves when that has ended. */
  settled?(): Promise<void>;
}

/** Waits, but not beyond the shutdown of the process. */
const pauseUnlessAborted =
  ({ timers }: Pick<Deps, 'timers'>, signal: AbortSignal) =>
  (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = timers.after(ms, end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });

/** Everything that a node does periodically. */
export function jobsOf(deps: Deps, databaseClock: Pick<DatabaseClock, 'sync'>): Job[] {
  const { anchoring, clock, db, metrics } = deps;
  let overdue: Record<string, number> = {};
  metrics.gauge(
    'svc_expired_overdue_seconds',
    'Seconds since the oldest row that housekeeping has yet to delete expired.',
    () => overdue,
    'table',
  );
  let webhookLag = 0;
  const logouts = createLogouts(deps);
  metrics.gauge(
    'svc_webhook_lag_seconds',
    'Seconds that the oldest event has waited for its first attempt, except at receivers that fail.',
    () => webhookLag,
  );
  const jobs: Job[] = [
    { name: 'clock', everyMs: CLOCK_SYNC_MS, run: () => databaseClock.sync() },
    {
      name: 'expired_rows',
      everyMs: HOUSEKEEPING_MS,
      async run(signal) {
        overdue = await deleteExpired({ db, clock, signal });
      },
    },
    { name: 'record_counts', everyMs: HOUSEKEEPING_MS, run: (signal) => sumCounts({ db, clock, signal }) },
    { name: 'webhooks', everyMs: WEBHOOKS_MS, startsImmediately: true, run: () => deps.webhooks.search() },
    {
      name: 'webhook_lag',
      everyMs: WEBHOOK_LAG_MS,
      async run() {
        webhookLag = await webhookLagSeconds(db, clock.now());
      },
    },
    { name: 'audit_trees', everyMs: TREES_MS, run: (signal) => signGrown({ ...deps, signal }) },
    {
      name: 'audit_tree_search',
      everyMs: HOUSEKEEPING_MS,
      startsImmediately: true,
      run: (signal) => signBehind({ ...deps, signal }),
    },
    { name: 'oidc_logouts', everyMs: LOGOUTS_MS, run: logouts.search, settled: logouts.settled },
    { name: 'quota_thresholds', everyMs: THRESHOLDS_MS, run: () => announceThresholds(deps) },
    {
      name: 'login_failures',
      everyMs: HOUSEKEEPING_MS,
      run: (signal) => sumLoginFailures({ ...deps, signal }),
    },
    { name: 'registrations', everyMs: HOUSEKEEPING_MS, run: (signal) => expireSessions({ ...deps, signal }) },
    { name: 'identity_leaves', everyMs: HOUSEKEEPING_MS, run: (signal) => addLeaves({ ...deps, signal }) },
    { name: 'sealed_chains', everyMs: HOUSEKEEPING_MS, run: (signal) => sealChains({ ...deps, signal }) },
    { name: 'corrections', everyMs: RECOVERIES_MS, run: (signal) => endUnanswered({ ...deps, signal }) },
    { name: 'approvals', everyMs: RECOVERIES_MS, run: (signal) => expireApprovals({ ...deps, signal }) },
    { name: 'recoveries', everyMs: RECOVERIES_MS, run: (signal) => completeRecoveries({ ...deps, signal }) },
    {
      name: 'retention',
      everyMs: RETENTION_MS,
      startsImmediately: true,
      run: (signal) => applyRetention({ ...deps, signal }, undefined, pauseUnlessAborted(deps, signal)),
    },
    {
      name: 'hours',
      everyMs: RETENTION_MS,
      startsImmediately: true,
      run: (signal) => applyHoursRetention({ ...deps, signal }, undefined, pauseUnlessAborted(deps, signal)),
    },
    { name: 'closing', everyMs: HOUSEKEEPING_MS, run: (signal) => deleteClosedAccounts({ ...deps, signal }) },
    {
      name: 'oidc_keys',
      everyMs: HOUSEKEEPING_MS,
      run: (signal) => rotateKeys({ ...deps, signal }, new Date(clock.now())),
    },
  ];
  jobs.push(...machineJobs(deps));
  if (anchoring === undefined) return jobs;
  // Two jobs, because a blockchain node that hangs in one call may still serve the other.
  const chain = { everyMs: ANCHORING_INTERVAL_MS, startsImmediately: true } as const;
  return [
    ...jobs,
    { ...chain, name: 'anchoring', run: whenChainIsDue(anchoring, () => anchoring.run()) },
    { ...chain, name: 'chain_readings', run: whenChainIsDue(anchoring, () => anchoring.probe()) },
  ];
}

/** Those of a database on several machines. */
const machineJobs = ({ db, log, machines }: Deps): Job[] =>
  machines === undefined
    ? []
    : [
        { name: 'machines', everyMs: MACHINES_MS, startsImmediately: true, run: () => machines.probe() },
        {
          name: 'planner_settings',
          everyMs: PLANNER_SETTINGS_MS,
          startsImmediately: true,
          async run() {
            const tables = await setExpectedValues(db);
            if (tables.length > 0) log.info({ tables }, 'the planner settings of these tables were set');
          },
        },
      ];

/**
 * Starts the jobs. Each runs on its own schedule and never overlaps itself. An error is logged, and the job runs again
 * after `everyMs`.
 */
export function startJobs(
  { clock, timers, log, metrics }: Pick<Deps, 'clock' | 'timers' | 'log' | 'metrics'>,
  jobs: readonly Job[],
): {
  /** Starts no more runs. Resolves when the current ones, and what they began, have ended. */
  stop(): Promise<void>;
} {
  const lastSuccess: Record<string, number> = Object.fromEntries(jobs.map(({ name }) => [name, 0]));
  metrics.gauge(
    'svc_job_last_success_timestamp_seconds',
    'When a run of the periodic job last succeeded, in Unix seconds; 0 before the first success.',
    () => lastSuccess,
    'job',
  );
  const stopping = new AbortController();
  // Everything that waits listens for it.
  setMaxListeners(0, stopping.signal);
  const running = new Set<Promise<void>>();
  const cancels = new Map<Job, () => void>();

  async function run(job: Job): Promise<void> {
    try {
      await job.run(stopping.signal);
      lastSuccess[job.name] = clock.now() / 1000;
    } catch (err) {
      log.warn({ err, job: job.name }, 'job failed');
    }
  }

  function start(job: Job): void {
    const current = run(job).then(() => {
      running.delete(current);
      if (!stopping.signal.aborted) schedule(job);
    });
    running.add(current);
  }

  function schedule(job: Job): void {
    cancels.set(
      job,
      timers.after(job.everyMs, () => start(job)),
    );
  }

  for (const job of jobs) job.startsImmediately ? start(job) : schedule(job);
  return {
    async stop() {
      stopping.abort();
      for (const cancel of cancels.values()) cancel();
      await Promise.all(running);
      await Promise.all(jobs.map((job) => job.settled?.()));
    },
  };
}
