import { type Event, signWebhook } from '@svc/sdk';

/** The event before this one in the session. */
interface Previous {
  readonly seq: number;
  readonly hash: string;
}

/** What happened to one event. */
export interface Forwarded {
  readonly at: string;
  readonly type: string;
  readonly seq: number;
  readonly attempts: number;
  /** The status of the last attempt; null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why the last attempt failed; null after success. */
  readonly error: string | null;
}

export interface Forwarder {
  readonly url: string;
  readonly secret: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  now(): number;
  /** Waits before an attempt is repeated. */
  pause(ms: number, error: string): Promise<void>;
}

const PAUSES_MS = [1_000, 5_000];
/** As the service waits. */
const TIMEOUT_MS = 15_000;

/** The body of a delivery, as the service sends it. */
export function bodyOf(event: Event, tenantId: string, previous: Previous | undefined): string {
  const { type, timestamp } = event;
  const previousOf = { previousSeq: previous?.seq ?? null, previousHash: previous?.hash ?? null };
  return JSON.stringify({ type, timestamp, data: { ...event, tenantId, ...previousOf } });
}

/** Posts one event, signed as the service signs it. Tries three times. */
export async function forward(
  forwarder: Forwarder,
  event: Event,
  tenantId: string,
  previous: Previous | undefined,
): Promise<Forwarded> {
  const body = bodyOf(event, tenantId, previous);
  for (let attempts = 1; ; attempts++) {
    const attempt = await post(forwarder, `evt_${event.id}`, body);
    forwarder.signal.throwIfAborted();
    const pauseMs = PAUSES_MS[attempts - 1];
    if (attempt.error === null || pauseMs === undefined)
      return { type: event.type, seq: event.seq, attempts, ...attempt };
    await forwarder.pause(pauseMs, attempt.error);
  }
}

async function post({ url, secret, fetch, signal, now }: Forwarder, id: string, body: string) {
  const startedAt = now();
  const ended = (status: number | null, error: string | null) => ({
    at: new Date(startedAt).toISOString(),
    status,
    durationMs: Math.round(now() - startedAt),
    error,
  });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks/1',
    ...(await signWebhook(secret, id, body, startedAt)),
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return ended(response.status, response.ok ? null : `the receiver returned ${response.status}`);
  } catch (error) {
    return ended(null, reasonOf(error));
  }
}

/** The system's code is in the cause of `fetch`'s error. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `no response in ${TIMEOUT_MS / 1000} s`;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' ? 'nothing is listening there' : (code ?? message);
}
