import type { Client } from 'oidc-provider';
import { mapConcurrently } from '../../base/concurrency/concurrently.js';
import { createSlots } from '../../base/concurrency/slots.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { unaudited } from '../../ledger/unaudited.js';
import {
  beginLogout,
  claimLogout,
  type DueLogout,
  listDueAccounts,
  listDueLogouts,
  saveLogout,
} from './provider/grants.store.js';

/** Logouts on their way at the same time, of a node and of one account. Receivers that failed last time may have half of them. */
const MAX_SLOTS = 64;
const MAX_ACCOUNT_SLOTS = 2;
/** Accounts that a node serves at the same time. */
const MAX_ACCOUNTS = 1_000;
const BATCH_SIZE = 20;
/** Longer than an attempt may take. */
const CLAIM_MS = 30_000;
/** How long after each attempt the next one follows. */
const RETRY_MS: readonly number[] = [10_000, 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];

type LogoutDeps = Pick<Deps, 'db' | 'clock' | 'write' | 'openId' | 'log'>;
/** A client with the library's way to send a logout now (`build.ts`). */
export type LogoutClient = Client & { sendLogout(sub: string): Promise<unknown> };

/** The logouts that a node sends. */
export interface Logouts {
  /** Begins to send what is due, and does not wait for it: a receiver that hangs delays only its own account. */
  search(signal: AbortSignal): Promise<void>;
  /** Resolves when everything that was begun has ended. */
  settled(): Promise<void>;
}

/**
 * Tells the clients of ended sign-ins, by back-channel logout. Nodes share the work. An attempt that fails is repeated five times
 * over seven hours. The client of a node that was killed gets another token.
 */
export function createLogouts(deps: LogoutDeps): Logouts {
  const { db, clock, log } = deps;
  const slots = createSlots(MAX_SLOTS, MAX_ACCOUNT_SLOTS);
  const accounts = new Map<string, Promise<void>>();

  async function send(row: DueLogout, signal: AbortSignal): Promise<void> {
    const release = await slots.take(row.tenant_id, row.logout_attempts > 0, signal);
    if (release === undefined) return;
    await tell(deps, row).finally(release);
  }

  /** Until nothing of the account is due. */
  async function serve(tenantId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await listDueLogouts(db, tenantId, new Date(clock.now()), BATCH_SIZE);
      if (due.length === 0) return;
      await mapConcurrently(due, MAX_ACCOUNT_SLOTS, (row) => send(row, signal));
    }
  }

  return {
    async search(signal) {
      const room = MAX_ACCOUNTS - accounts.size;
      for (const tenantId of await listDueAccounts(db, new Date(clock.now()), [...accounts.keys()], room)) {
        const served = serve(tenantId, signal)
          .catch((err: unknown) => log.warn({ err, tenantId }, 'back-channel logouts are sent later'))
          .finally(() => accounts.delete(tenantId));
        accounts.set(tenantId, served);
      }
    },
    async settled() {
      await Promise.all(accounts.values());
    },
  };
}

/** Has the client of a grant told that the person signed out of the browser. */
export async function sendLater(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  grantId: string,
): Promise<void> {
  await unaudited(db, 'openid logouts').mutate(beginLogout(scope, grantId, new Date(clock.now())));
}

async function tell(deps: LogoutDeps, row: DueLogout): Promise<void> {
  const { db, clock, write, openId } = deps;
  const scope: Scope = { tenantId: row.tenant_id, environment: row.environment };
  const now = clock.now();
  const claim = claimLogout(scope, row, new Date(now), new Date(now + CLAIM_MS));
  if ((await unaudited(db, 'openid logouts').mutate(claim)).length === 0) return;
  const provider = await openId.find(scope);
  const client = (await provider?.Client.find(row.client_id)) as LogoutClient | undefined;
  const result = client?.backchannelLogoutUri ? await post(deps, client, row) : 'not asked for';
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

async function post({ log }: LogoutDeps, client: LogoutClient, row: DueLogout): Promise<'sent' | 'failed'> {
  try {
    await client.sendLogout(row.user_id);
    return 'sent';
  } catch (err) {
    log.info({ err, clientId: row.client_id }, 'back-channel logout failed');
    return 'failed';
  }
}
