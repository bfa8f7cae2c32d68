import { createHash } from 'node:crypto';
import type { OutboundResult } from '../../../base/outbound/outbound.js';
import type { Deps } from '../../../http/deps.js';
import type { AuditEventRow } from '../../../ledger/read-events.js';
import { serializeFeedEvent } from '../../events/events.js';
import { type Signer, signatureHeaders } from '../secrets.js';
import type { DELIVERY_ERRORS } from '../webhooks.schema.js';
import type { AttemptRow } from '../webhooks.store.js';
import type { Summary } from './throttle.js';

/** An event of the chain. */
export interface Position {
  readonly seq: number;
  readonly hash: string;
}

/** What is sent: an event, or something that is no event of the chain. */
export interface Message {
  /** The id behind `evt_`: the same in every attempt. */
  readonly eventId: string;
  /** Null for `webhook.test`. */
  readonly seq: number | null;
  readonly type: string;
  /** One line of JSON. */
  readonly body: string;
}

const bodyOf = (type: string, timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data });

const previousOf = (previous: Position | null) => ({
  previousSeq: previous?.seq ?? null,
  previousHash: previous?.hash ?? null,
});

export function eventMessage(row: AuditEventRow, tenantId: string, previous: Position | null): Message {
  const event = serializeFeedEvent(row);
  return {
    eventId: row.id,
    seq: row.seq,
    type: event.type,
    body: bodyOf(event.type, event.timestamp, { ...event, tenantId, ...previousOf(previous) }),
  };
}

/** A UUID (version 8) of a text. A summary has the same id on every node that makes it. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const summaryId = (webhookId: string, { type, fromSeq, toSeq }: Summary): string =>
  uuidOf(`${webhookId}|${type}|${fromSeq}|${toSeq}`);

const SUMMARY_TYPE = 'events.throttled';
const TEST_TYPE = 'webhook.test';

export interface Recipient {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: string;
}

export function summaryMessage(
  { id, tenantId, environment }: Recipient,
  summary: Summary,
  previous: Position | null,
): Message {
  const { at, ...summed } = summary;
  return {
    eventId: summaryId(id, summary),
    seq: summary.toSeq,
    type: SUMMARY_TYPE,
    body: bodyOf(SUMMARY_TYPE, at, {
      ...summed,
      environment,
      tenantId,
      ...previousOf(previous),
    }),
  };
}

export function testMessage({ id, tenantId, environment }: Recipient, eventId: string, at: number): Message {
  return {
    eventId,
    seq: null,
    type: TEST_TYPE,
    body: bodyOf(TEST_TYPE, new Date(at).toISOString(), {
      webhookId: id,
      environment,
      tenantId,
      ...previousOf(null),
    }),
  };
}

/** The result of one attempt. Nothing of the response but its status is kept. */
export interface Outcome {
  readonly at: number;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  /** Null after success. */
  readonly errorCode: (typeof DELIVERY_ERRORS)[number] | null;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/** The record of an attempt. Without `nextAt`, no other one follows. */
export function attemptOf(
  id: string,
  message: Message,
  { at, durationMs, httpStatus, errorCode }: Outcome,
  { attempt, isReplay, nextAt }: { attempt: number; isReplay: boolean; nextAt?: number | undefined },
): AttemptRow {
  return {
    id,
    event_id: message.eventId,
    seq: message.seq,
    type: message.type,
    attempt,
    is_replay: isReplay,
    at: new Date(at),
    status: errorCode === null ? 'succeeded' : nextAt === undefined ? 'abandoned' : 'failed',
    http_status: httpStatus,
    error_code: errorCode,
    duration_ms: durationMs,
    next_attempt_at: nextAt === undefined ? null : new Date(nextAt),
  };
}

/** The result of a test that got no connection in time. */
export const notSent = (at: number): Outcome => ({
  at,
  durationMs: 0,
  httpStatus: null,
  errorCode: 'timeout',
  retryAfter: undefined,
});

interface SendOptions {
  readonly url: string;
  readonly signer: Signer;
  readonly isReplay: boolean;
  readonly signal?: AbortSignal;
}

/** Makes one attempt. */
export async function sendMessage(
  { outbound, clock, log }: Pick<Deps, 'outbound' | 'clock' | 'log'>,
  message: Message,
  { url, signer, isReplay, signal }: SendOptions,
): Promise<Outcome> {
  const at = clock.now();
  const started = performance.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks/1',
    ...signatureHeaders(signer, `evt_${message.eventId}`, at, message.body),
    ...(isReplay && { 'svc-replay': 'true' }),
  };
  const result: OutboundResult = await outbound.post(url, {
    headers,
    body: message.body,
    ...(signal && { signal }),
  });
  const durationMs = Math.round(performance.now() - started);
  if ('error' in result) {
    log.info({ eventId: message.eventId, reason: result.reason }, 'delivery failed');
    return { at, durationMs, httpStatus: null, errorCode: result.error, retryAfter: undefined };
  }
  const { status: httpStatus, retryAfter } = result;
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  return { at, durationMs, httpStatus, errorCode: isSuccess ? null : 'status', retryAfter };
}
