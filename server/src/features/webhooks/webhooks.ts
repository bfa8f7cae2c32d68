import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { ageOf, type Expiry } from '../../db/expiry.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { genesisHash } from '../../ledger/audit-chain.js';
import { findPosition } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { listPage } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { findUnknownPattern } from '../events/events.js';
import { newSecret, newSigningKey, retireSecret } from './secrets.js';
import type { CreateBody, ListQuery, PatchBody, RotateBody } from './webhooks.schema.js';
import * as store from './webhooks.store.js';

export { webhookLagSeconds } from './lag.js';

export type WebhookContext = Pick<ScopedContext, 'read' | 'write' | 'scope'> & {
  readonly deps: Pick<Deps, 'clock' | 'ids' | 'outbound' | 'random' | 'sealer' | 'webhooks'>;
  readonly principal: KeyPrincipal | ConsolePrincipal;
};

export const ATTEMPT_EXPIRY: Expiry = {
  table: sql`webhook_attempts`,
  column: sql`at`,
  before: ageOf(30 * 24 * 60 * 60_000),
};

const DEFAULT_GRACE_SECONDS = 86_400;

export const serializeWebhook = (row: store.ListedWebhook) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  ordered: row.ordered,
  outcome: row.outcome,
  throttled: row.throttled,
  status: row.status,
  disabledReason: row.disabled_reason,
  publicKey: row.public_key,
  cursor: row.cursor_seq,
  lag: Math.max(0, row.head_seq - row.cursor_seq),
  lastSuccessAt: isoOrNull(row.last_success_at),
  lastFailureAt: isoOrNull(row.last_failure_at),
  consecutiveFailures: row.consecutive_failures,
  keyId: row.key_id,
  keyName: row.key_name,
  keyRevokedAt: isoOrNull(row.key_revoked_at),
  createdAt: iso(row.created_at),
});

export async function findWebhook(read: Read, id: string): Promise<store.ListedWebhook> {
  return (await store.findWebhook(read, id)) ?? fail('webhook_not_found');
}

export const webhookList = (
  context: Pick<ScopedContext, 'scope'> & {
    deps: Pick<Deps, 'cursors' | 'history'>;
    query: Static<typeof ListQuery>;
  },
) =>
  listPage(context, 'webhooks', {
    fetch: (read, _query, count, before) => store.listWebhooks(read, count, before),
    show: serializeWebhook,
    position: (row) => row.id,
  });

function checkUrl({ outbound }: Pick<Deps, 'outbound'>, url: string | undefined): void {
  const message = url === undefined ? undefined : outbound.refuse(url);
  if (message !== undefined) fail('webhook_url_refused', { details: [{ path: 'body.url', message }] });
}

function checkEvents(patterns: readonly string[] | undefined): void {
  const unknown = patterns && findUnknownPattern(patterns);
  if (unknown !== undefined)
    invalid(`body.events[${patterns?.indexOf(unknown)}]`, 'selects no type of event that there is');
}

/** The position after which deliveries begin. */
async function startAt(read: Read, since: 'now' | number): Promise<{ seq: number; hash: string }> {
  const head = await findPosition(read, since === 'now' ? 0 : since);
  if (head === undefined) throw new Error('The chain has no head');
  if (since === 'now') return { seq: head.head_seq, hash: head.head_hash };
  if (since === 0) return { seq: 0, hash: genesisHash(read.scope.tenantId, read.scope.environment) };
  if (head.hash === null) invalid('body.since', 'is later than the last event');
  return { seq: since, hash: head.hash };
}

export async function createWebhook(context: WebhookContext & { body: Static<typeof CreateBody> }) {
  const { deps, scope, write, principal, body } = context;
  checkUrl(deps, body.url);
  checkEvents(body.events);
  const id = deps.ids();
  const [secret, signingKey] = await Promise.all([
    newSecret(deps, scope, id),
    newSigningKey(deps, scope, id),
  ]);
  const webhook = await write('webhook.created', async (w) => {
    w.audit({ entityType: 'webhook', entityId: id });
    const [start, count] = await Promise.all([startAt(w, body.since ?? 'now'), store.countWebhooks(w)]);
    if (count >= PLAN_LIMITS[principal.tenant.plan].webhooks) fail('webhook_limit_reached');
    await store.insertWebhook(w, {
      id,
      url: body.url,
      description: body.description ?? null,
      events: [...new Set(body.events)],
      ordered: body.ordered ?? false,
      outcome: body.outcome ?? 'success',
      throttled: body.throttled ?? true,
      secret: secret.sealed,
      signing_key: signingKey.sealed,
      public_key: signingKey.publicKey,
      cursor_seq: start.seq,
      cursor_hash: start.hash,
      filter_since: start.seq,
      key_id: 'keyId' in principal ? principal.keyId : null,
      created_at: new Date(deps.clock.now()),
    });
    return findWebhook(w, id);
  });
  deps.webhooks.wake(scope);
  return { webhook, secret: secret.text };
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify(one) === JSON.stringify(other);

/** Turning a webhook on continues from its cursor, so nothing is lost. `since` continues somewhere else and drops what waits. */
export async function updateWebhook(
  { deps, scope, write }: WebhookContext,
  id: string,
  body: Static<typeof PatchBody>,
): Promise<store.ListedWebhook> {
  const { since, status, ...fields } = body;
  checkUrl(deps, fields.url);
  checkEvents(fields.events);
  const webhook = await write('webhook.updated', async (w) => {
    const row = (await store.lockWebhook(w, id)) ?? fail('webhook_not_found');
    const isEnabled = status === 'active' && row.status !== 'active';
    if (isEnabled && row.disabled_reason === 'chain_diverged' && since === undefined)
      invalid('body.since', 'is required, because the event at the cursor has changed');
    const start = since === undefined ? undefined : await startAt(w, since);
    const next: store.WebhookRow = {
      ...row,
      ...fields,
      ...(fields.events && { events: [...new Set(fields.events)] }),
      ...(status && { status, disabled_reason: null }),
      ...(start && { cursor_seq: start.seq, cursor_hash: start.hash }),
    };
    await store.saveWebhook(w, next);
    if (start !== undefined) await store.deleteRetries(w, id);
    const isOtherFilter =
      !isSame(next.events, row.events) || next.outcome !== row.outcome || next.throttled !== row.throttled;
    if (isOtherFilter || start !== undefined) await store.restartFilter(w, id);
    if (isEnabled) await store.restartRetries(w, id, new Date(deps.clock.now()));
    w.audit({
      ...(isEnabled && { action: 'webhook.enabled' }),
      entityType: 'webhook',
      entityId: id,
      metadata: { fields: Object.keys(body).sort().join(' ') },
    });
    return findWebhook(w, id);
  });
  deps.webhooks.wake(scope);
  return webhook;
}

/** A request in flight may still arrive. */
export async function deleteWebhook({ write }: WebhookContext, id: string): Promise<void> {
  await write('webhook.deleted', async (w) => {
    await store.lockWebhook(w, id);
    if (!(await store.deleteWebhook(w, id))) fail('webhook_not_found');
    w.audit({ entityType: 'webhook', entityId: id });
  });
}

/** The secret before the previous one ends, even if its grace has not ended. */
export async function rotateSecret(
  { deps, scope, write }: WebhookContext,
  id: string,
  { graceSeconds = DEFAULT_GRACE_SECONDS }: Static<typeof RotateBody>,
): Promise<string> {
  const secret = await newSecret(deps, scope, id);
  await write('webhook.secret_rotated', async (w) => {
    const row = (await store.lockWebhook(w, id)) ?? fail('webhook_not_found');
    const previous = graceSeconds > 0 ? await retireSecret(deps.sealer, scope, row) : null;
    await store.saveWebhook(w, {
      ...row,
      secret: secret.sealed,
      previous_secret: previous,
      previous_secret_until: previous === null ? null : new Date(deps.clock.now() + graceSeconds * 1000),
    });
    w.audit({ entityType: 'webhook', entityId: id, metadata: { graceSeconds } });
  });
  return secret.text;
}
