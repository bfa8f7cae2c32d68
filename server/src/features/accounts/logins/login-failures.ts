import type { Deps } from '../../../http/deps.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { iso } from '../../../records/schema.js';
import * as store from './login-failures.store.js';

export { LOGIN_FAILURE_EXPIRY } from './login-failures.store.js';

const HOUR_MS = 60 * 60_000;
/** Events of one account and hour. One more counts the other failures. */
const MAX_EVENTS = 10;
/** Hours of one run. The next run continues. */
const MAX_HOURS = 500;

type FailureDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'log'>;

const hourOf = (now: number) => new Date(now - (now % HOUR_MS));

/**
 * Records a log-in with a wrong password. It runs after the response, so that a known e-mail takes no longer than an unknown one, and
 * counts first: what gets no event of its own is in the count of its hour.
 */
export async function recordLoginFailure(deps: FailureDeps, tenantId: string): Promise<void> {
  const hour = hourOf(deps.clock.now());
  const recorded = await store.countFailure(unaudited(deps.db, 'login failures'), tenantId, hour);
  if (recorded >= MAX_EVENTS) return;
  await append(deps, tenantId, { count: 1 }, (w) => store.markOneRecorded(w, hour, MAX_EVENTS));
}

/** Counts the failures of past hours that have no event of their own, in one event for each account and hour. */
export async function sumLoginFailures(deps: FailureDeps & { readonly signal: AbortSignal }): Promise<void> {
  const unrecorded = await store.listUnrecorded(deps.db, hourOf(deps.clock.now()), MAX_HOURS);
  for (const { tenant_id: tenantId, hour, count } of unrecorded) {
    if (deps.signal.aborted) return;
    const metadata = { count, hour: iso(hour) };
    await append(deps, tenantId, metadata, (w) => store.markAllRecorded(w, { hour, count }));
  }
}

/** Appends the event if the failures that it counts have none yet. */
async function append(
  { write, log }: FailureDeps,
  tenantId: string,
  metadata: { readonly count: number; readonly hour?: string },
  mark: (w: Parameters<Parameters<FailureDeps['write']>[1]>[0]) => Promise<boolean>,
): Promise<void> {
  const scope = { tenantId, environment: 'live' } as const;
  const isRecorded = new Error('Another node recorded it');
  await write({ scope, actor: { type: 'system', id: null }, action: 'tenant.login_failed' }, async (w) => {
    if (!(await mark(w))) throw isRecorded;
    w.audit({ entityType: 'tenant', entityId: tenantId, status: 'failure', metadata });
  }).catch((err: unknown) => {
    if (err !== isRecorded) log.warn({ err }, 'a failed log-in is recorded when its hour is over');
  });
}
