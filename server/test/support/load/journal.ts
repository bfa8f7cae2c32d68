import type { PhoneIdentity } from '@svc/zk/phone';
import { freshAddress } from '../service.js';

export interface Reply {
  readonly status: number;
  readonly replayed: boolean;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

interface RequestOptions {
  readonly as?: string;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
  readonly session?: string;
}

/** A write, with the number of audit events for each expected status. */
export interface WriteOptions extends RequestOptions {
  readonly events: Readonly<Record<number, number>>;
}

/** It is unknown whether the request had an effect: the process was killed before it responded, or it returned 503. */
export class NoResponse extends Error {}

/** Longer than every limit of the service. */
const RESPONSE_MS = 60_000;

/** Records the requests and responses of all clients of a service, over all its starts. */
export class Journal {
  /** The nodes. Requests go to each in turn. */
  urls: readonly string[] = [];
  /** From a kill until the next start, requests may fail. */
  killed = false;
  /** Resolves when the service serves. Requests wait for it. */
  serving: Promise<void> = Promise.resolve();
  /** While the database fails, writes may return 503. */
  mayBeUnavailable = false;
  acknowledged = 0;
  withoutResponse = 0;
  /** Requests without a response since the last start. */
  lost = 0;
  /** The minimum and maximum total length of the audit chains. */
  events = { min: 0, max: 0 };
  onAcknowledged: (path: string, reply: Reply) => void = () => {};
  #sent = 0;

  /** @throws NoResponse */
  async read(path: string, { as, body, session }: RequestOptions = {}, method = 'GET'): Promise<Reply> {
    const reply = await this.#trySend(method, path, { as, body, session } as RequestOptions);
    if (reply === undefined) throw new NoResponse(`${method} ${path}`);
    return reply;
  }

  /** @throws NoResponse */
  async write(method: string, path: string, options: WriteOptions): Promise<Reply> {
    const reply = await this.#trySend(method, path, options);
    if (reply === undefined || (this.mayBeUnavailable && isUnavailable(reply))) {
      this.withoutResponse += 1;
      this.lost += 1;
      this.events.max += Math.max(...Object.values(options.events));
      throw new NoResponse(`${method} ${path}`);
    }
    const expected = options.events[reply.status];
    if (expected === undefined)
      throw new Error(`${method} ${path} returned ${reply.status} ${JSON.stringify(reply.body)}`);
    const events = reply.replayed ? 0 : expected;
    this.events.min += events;
    this.events.max += events;
    if (reply.status < 300) {
      this.acknowledged += 1;
      this.onAcknowledged(path, reply);
    }
    return reply;
  }

  /** Undefined if the service was killed before it responded. */
  async #trySend(method: string, path: string, options: RequestOptions): Promise<Reply | undefined> {
    await this.serving;
    return this.#send(method, path, options).catch((error: unknown) => {
      if (!this.killed) throw error;
      return undefined;
    });
  }

  async #send(
    method: string,
    path: string,
    { as, body, idempotencyKey, session }: RequestOptions,
  ): Promise<Reply> {
    const url = this.urls[this.#sent++ % this.urls.length];
    const reply = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(RESPONSE_MS),
      headers: {
        'x-forwarded-for': freshAddress(),
        ...(as && { authorization: `Bearer ${as}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(session && { 'x-session-token': session }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${path} got no response`, { cause: error });
    });
    const replayed = reply.headers.get('idempotent-replayed') === 'true';
    const retryAfter = reply.headers.get('retry-after');
    return { status: reply.status, replayed, retryAfter, body: await reply.json() };
  }
}

/** Whether the response is the 503 of the contract. */
export const isUnavailable = ({ status, retryAfter, body }: Reply): boolean =>
  status === 503 && body.error === 'service_unavailable' && /^[1-9]\d*$/.test(retryAfter ?? '');

export interface Party {
  readonly tenantId: string;
  readonly token: string;
  readonly key: string;
  /** A registered person. The account allows unbound proofs, so one proof can be reused. */
  readonly person: PhoneIdentity & { readonly userId: string };
  readonly proof: object;
}
