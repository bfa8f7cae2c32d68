import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { listPage } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { findWebhook, type WebhookContext } from './webhooks.js';
import type { DeliveriesQuery, ReplayBody } from './webhooks.schema.js';
import * as store from './webhooks.store.js';

const serializeDelivery = (row: store.AttemptRow) => ({
  id: row.id,
  seq: row.seq,
  type: row.type,
  attempt: row.attempt,
  replay: row.is_replay,
  at: iso(row.at),
  status: row.status,
  httpStatus: row.http_status,
  errorCode: row.error_code,
  durationMs: row.duration_ms,
  nextAttemptAt: isoOrNull(row.next_attempt_at),
});

/** Attempts, newest first. */
export async function deliveryList(
  context: Pick<ScopedContext, 'scope' | 'read'> & {
    deps: Pick<Deps, 'cursors' | 'history'>;
    query: Static<typeof DeliveriesQuery>;
  },
  id: string,
) {
  await findWebhook(context.read, id);
  return listPage(context, 'deliveries', {
    fetch: (read, { status }, count, before) => store.listAttempts(read, id, status, count, before),
    show: serializeDelivery,
    position: (row: store.AttemptRow) => row.id,
  });
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const MAX_COUNTED = 50_000;

/** The attempts of the last days (UTC), oldest first. */
export async function deliveryDays(
  { deps, scope, read }: Pick<ScopedContext, 'scope' | 'read'> & { deps: Pick<Deps, 'clock' | 'history'> },
  id: string,
) {
  await findWebhook(read, id);
  const today = deps.clock.now() - (deps.clock.now() % DAY_MS);
  const since = today - (DAYS - 1) * DAY_MS;
  const rows = await store.countAttemptDays(deps.history.of(scope), id, new Date(since), MAX_COUNTED);
  const days = Array.from({ length: DAYS }, (_, at) => ({
    day: new Date(since + at * DAY_MS).toISOString().slice(0, 10),
    succeeded: 0,
    failed: 0,
  }));
  for (const { day, succeeded, failed } of rows)
    Object.assign(days.find((known) => known.day === day) ?? {}, { succeeded, failed });
  return { days };
}

/** Sends `webhook.test` now, also while the webhook is paused or disabled. */
export async function testWebhook({ deps, read, scope }: WebhookContext, id: string) {
  const attemptId = await deps.webhooks.test(scope, id);
  const attempt = attemptId && (await store.findAttempt(read, id, attemptId));
  return attempt ? serializeDelivery(attempt) : fail('webhook_not_found');
}

/** The events of a range up to the cursor, or those of one attempt. Later events are delivered anyway. */
async function rangeOf({ read }: WebhookContext, id: string, body: Static<typeof ReplayBody>) {
  const { fromSeq, toSeq, deliveryId } = body;
  if ((fromSeq === undefined) === (deliveryId === undefined))
    invalid('body', 'must have either fromSeq or deliveryId');
  const webhook = await findWebhook(read, id);
  if (deliveryId !== undefined) {
    if (toSeq !== undefined) invalid('body.toSeq', 'is only for fromSeq');
    const attempt = await store.findAttempt(read, id, deliveryId);
    if (attempt === undefined || attempt.seq === null)
      invalid('body.deliveryId', 'is not a delivery of an event by this webhook');
    return { fromSeq: attempt.seq, toSeq: attempt.seq };
  }
  const from = fromSeq as number;
  if (from > webhook.cursor_seq) invalid('body.fromSeq', 'is later than the last event that was sent');
  if (toSeq !== undefined && toSeq < from) invalid('body.toSeq', 'must not be less than fromSeq');
  return { fromSeq: from, toSeq: Math.min(toSeq ?? webhook.cursor_seq, webhook.cursor_seq) };
}

/** Sends events again that the filter selects. A webhook that is not active sends them when it is turned on. */
export async function replayEvents(context: WebhookContext, id: string, body: Static<typeof ReplayBody>) {
  const { deps, scope, write } = context;
  const range = await rangeOf(context, id, body);
  await write('webhook.replayed', async (w) => {
    if (!(await store.startReplay(w, id, range, new Date(deps.clock.now())))) fail('webhook_not_found');
    w.audit({ entityType: 'webhook', entityId: id, metadata: range });
  });
  deps.webhooks.wake(scope);
  return range;
}
