import type { Client } from 'oidc-provider';
import { mapConcurrently } from '../../base/concurrently.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import { claimLogout, type DueLogout, listDueLogouts, saveLogout } from './provider/grants.store.js';

const BATCH_SIZE = 100;
const CONCURRENCY = 8;
/** Longer than a request may take. */
const CLAIM_MS = 30_000;
/** How long after each attempt the next one follows. */
const RETRY_MS: readonly number[] = [10_000, 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];

type LogoutDeps = Pick<Deps, 'db' | 'clock' | 'write' | 'openId' | 'log'>;
type LogoutClient = Client & { backchannelLogout(sub: string, sid?: string): Promise<unknown> };

/**
 * Tells the clients of ended sign-ins, by back-channel logout. Nodes share the work. An attempt that fails is repeated five times
 * over seven hours. The client of a node that was killed gets another token.
 */
export async function sendLogouts(deps: LogoutDeps, signal: AbortSignal): Promise<void> {
  const due = await listDueLogouts(deps.db, new Date(deps.clock.now()), BATCH_SIZE);
  await mapConcurrently(due, CONCURRENCY, async (row) => {
    if (!signal.aborted) await tell(deps, row);
  });
}

async function tell(deps: LogoutDeps, row: DueLogout): Promise<void> {
  const { db, clock, write, openId } = deps;
  const scope: Scope = { tenantId: row.tenant_id, environment: row.environment };
  const now = clock.now();
  const claim = claimLogout(scope, row, new Date(now), new Date(now + CLAIM_MS));
  if ((await unaudited(db, 'openid logouts').mutate(claim)).length === 0) return;
  const provider = await openId.find(scope);
  const client = (await provider?.Client.find(row.client_id)) as LogoutClient | undefined;
  const result = client?.backchannelLogoutUri ? await send(deps, client, row) : 'not asked for';
  const retryMs = result === 'failed' ? RETRY_MS[row.logout_attempts] : undefined;
  const at = retryMs === undefined ? null : new Date(clock.now() + retryMs);
  if (result === 'not asked for') {
    const forget = claimLogout(scope, row, new Date(now + CLAIM_MS), null);
    await unaudited(db, 'openid logouts').mutate(forget);
    return;
  }
  await write({ scope, actor: { type: 'system', id: null }, action: 'oidc.logout_sent' }, async (w) => {
    const metadata = { clientId: row.client_id, attempt: row.logout_attempts + 1 };
    const status = result === 'sent' ? 'success' : 'failure';
    w.audit({ entityType: 'oidc_grant', entityId: row.id, status, metadata });
    await saveLogout(w, row, at);
  });
}

async function send({ log }: LogoutDeps, client: LogoutClient, row: DueLogout): Promise<'sent' | 'failed'> {
  try {
    await client.backchannelLogout(row.user_id);
    return 'sent';
  } catch (err) {
    log.info({ err, clientId: row.client_id }, 'back-channel logout failed');
    return 'failed';
  }
}
