import { setTimeout as delay } from 'node:timers/promises';
import { boundSignal, didHash, pairingBind, verifyBind } from '@svc/zk/field';
import type { Seeded } from '../seeded.js';
import { realProver } from '../service.js';
import { type Host, PASSWORD } from './accounts.js';
import { isUnavailable, type Journal, NoResponse, type Reply } from './journal.js';

const WAIT_MS = 200;
/** Of a visitor's actions. An account can log in 100 times an hour from new addresses. */
const LOG_IN_EVERY = 400;

const READS: readonly [as: 'key' | 'token', path: string][] = [
  ['key', '/v1/devices?limit=50'],
  ['key', '/v1/verifications?limit=50&result=pass'],
  ['key', '/v1/users?limit=50'],
  ['key', '/v1/audit?limit=50'],
  ['key', '/v1/events?limit=50'],
  ['token', '/api/console/overview'],
  ['token', '/api/console/usage/series'],
  ['token', '/api/console/devices?limit=50'],
  ['token', '/api/console/requests'],
  ['token', '/api/console/account'],
];

/** Sends what `Client` does not: events of a device, pairings, bound proofs, webhooks, log-ins, reads. */
export class Visitor {
  /** The id of each verification by its reference, which also was its Idempotency-Key. */
  readonly recorded = new Map<string, string>();
  readonly #journal: Journal;
  readonly #host: Host;
  readonly #name: string;
  readonly #random: Seeded;
  readonly #mayProve: () => boolean;
  #acted = 0;
  #created = 0;
  #hook: string | undefined;

  constructor(journal: Journal, host: Host, name: string, random: Seeded, mayProve: () => boolean) {
    this.#journal = journal;
    this.#host = host;
    this.#name = name;
    this.#random = random;
    this.#mayProve = mayProve;
  }

  /** @throws NoResponse */
  act(): Promise<void> {
    if (this.#acted++ % LOG_IN_EVERY === 0) return this.#logIn();
    const actions: [weight: number, act: () => Promise<void>][] = [
      [12, () => this.#recordOnce()],
      [12, () => this.#record()],
      [12, () => this.#read()],
      [2, () => this.#changeHook()],
      [2, () => (this.#mayProve() ? this.#pair() : this.#record())],
      [1, () => (this.#mayProve() ? this.#verify() : this.#record())],
    ];
    return this.#random.pick(actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act)))();
  }

  /** A request is sent again by the action itself. */
  async retryUrgent(): Promise<void> {}

  async #logIn(): Promise<void> {
    const body = { email: this.#host.email, password: PASSWORD };
    await this.#write('POST', '/api/console/login', { 200: 1 }, body);
  }

  #write(
    method: string,
    path: string,
    events: Record<number, number>,
    body?: object,
    idempotencyKey?: string,
  ) {
    return this.#journal.write(method, path, {
      as: this.#host.allKey,
      events,
      idempotencyKey,
      ...(body && { body }),
    });
  }

  /** Sends the same request until it has a response. */
  async #untilSettled(send: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await send().catch((error: unknown) => {
        if (!(error instanceof NoResponse)) throw error;
        return undefined;
      });
      if (reply && reply.body.error !== 'idempotency_key_in_use') return reply;
      await delay(WAIT_MS);
    }
  }

  #event(referenceId?: string): object {
    const { deviceId, phone } = this.#host;
    return { method: 'fingerprint', result: 'pass', deviceId, userId: phone.userId, referenceId };
  }

  async #record(): Promise<void> {
    await this.#write('POST', '/v1/verifications', { 201: 1 }, this.#event());
  }

  /** The same request with an Idempotency-Key, until it has a response. */
  async #recordOnce(): Promise<void> {
    const mark = `${this.#name}-${++this.#created}`;
    const send = () =>
      this.#untilSettled(() =>
        this.#write('POST', '/v1/verifications', { 201: 1, 409: 0 }, this.#event(mark), mark),
      );
    // Two at the same time, on any nodes, are one.
    const replies = await Promise.all(this.#random.chance(0.3) ? [send(), send()] : [send()]);
    const [id, other] = replies.map(({ body }) => body.verification?.id as string | undefined);
    if (id === undefined || (replies.length === 2 && other !== id))
      throw new Error(`an Idempotency-Key led to ${JSON.stringify(replies.map(({ body }) => body))}`);
    this.recorded.set(mark, id);
  }

  async #read(): Promise<void> {
    const [as, path] = this.#random.pick(READS);
    const reply = await this.#journal.read(path, {
      as: as === 'key' ? this.#host.allKey : this.#host.token,
    });
    if (reply.status !== 200 && !isUnavailable(reply))
      throw new Error(`GET ${path} returned ${reply.status} ${JSON.stringify(reply.body)}`);
  }

  async #changeHook(): Promise<void> {
    const id = this.#hook;
    this.#hook = undefined;
    if (id === undefined) {
      const body = { url: this.#host.receiver, events: ['user.updated'] };
      const { body: created } = await this.#write('POST', '/v1/webhooks', { 201: 1, 409: 0 }, body);
      this.#hook = created.webhook?.id;
    } else await this.#untilSettled(() => this.#write('DELETE', `/v1/webhooks/${id}`, { 200: 1, 404: 0 }));
  }

  /** Opens a pairing session and binds it. A second proof is never accepted. */
  async #pair(): Promise<void> {
    const opened = await this.#write('POST', '/v1/proof-pairing/sessions', { 201: 1 });
    const { id, nonce } = opened.body.session;
    const { tenantId, phone } = this.#host;
    const bind = pairingBind({ tenantId, environment: 'live', sessionId: id, nonce });
    const proof = await this.#prove(bind);
    const submit = (events: Record<number, number>) =>
      this.#untilSettled(() =>
        this.#write('POST', `/v1/proof-pairing/sessions/${id}/submit`, events, { did: phone.did, ...proof }),
      );
    await submit({ 200: 1, 409: 0 });
    await submit({ 409: 0 });
  }

  /** Verifies a bound proof with a nonce of the service. The proof is never accepted again. */
  async #verify(): Promise<void> {
    const { tenantId, phone } = this.#host;
    const issued = await this.#journal.read('/v1/auth/zkp/nonce', { as: this.#host.allKey });
    if (isUnavailable(issued)) return;
    const [nonce, timestamp] = [issued.body.nonce as string, Date.now()];
    const bind = verifyBind({ tenantId, environment: 'live', nonce, timestampMs: timestamp });
    const body = { did: phone.did, ...(await this.#prove(bind)), nonce, timestamp };
    const send = (events: Record<number, number>) =>
      this.#untilSettled(() => this.#write('POST', '/v1/identity/verify', events, body));
    await send({ 200: 1, 401: 1 });
    await send({ 401: 1 });
  }

  async #prove(bind: bigint) {
    const { biometricSecret, salt, did } = this.#host.phone;
    return (await realProver()).prove({ biometricSecret, salt, didHash: boundSignal(didHash(did), bind) });
  }
}
