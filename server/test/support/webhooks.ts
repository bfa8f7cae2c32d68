import { createHmac, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { sql } from '../../src/db/sql.js';
import type { Environment } from '../../src/model/environment.js';
import type { Account, Service } from './service.js';

/** Deliveries to receivers on this machine. */
export const LOOPBACK = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' };

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

/** A status, headers too, or full control. Called with the number of requests before this one. */
type Answer = (
  request: Received,
  before: number,
) => number | { status: number; headers: Record<string, string> } | ((response: ServerResponse) => void);

export interface Hook {
  readonly url: string;
  readonly received: Received[];
  /** The sequence numbers that arrived, in order of arrival. */
  readonly seqs: () => number[];
  readonly types: () => string[];
  answer: Answer;
  stop(): Promise<void>;
}

/** A receiver that accepts everything by default. */
export async function startHook(answer: Answer = () => 204): Promise<Hook> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('error', () => {});
    request.on('end', () => {
      const entry = { headers: request.headers, text, body: JSON.parse(text) };
      const reply = hook.answer(entry, received.length);
      received.push(entry);
      if (typeof reply === 'function') reply(response);
      else if (typeof reply === 'number') response.writeHead(reply).end();
      else response.writeHead(reply.status, reply.headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    seqs: () => received.map(({ body }) => body.data.seq),
    types: () => received.map(({ body }) => body.type),
    answer,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hook;
}

/** A key for events, webhooks, and devices, whose creation is the tests' usual event. */
export const eventKey = (service: Service, account: Account, environment: Environment = 'live') =>
  service.createKey(account, environment, [
    'events:read',
    'webhooks:write',
    'audit:read',
    'devices:write',
    'devices:read',
    'zkp:verify',
    'identity:read',
  ]);

export async function createHook(service: Service, key: string, body: object) {
  const reply = await service.call('POST', '/v1/webhooks', { as: key, body: { events: ['*'], ...body } });
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.body.webhook.id as string, secret: reply.body.secret as string, ...reply.body };
}

export async function readHook(service: Service, key: string, id: string) {
  return (await service.call('GET', `/v1/webhooks/${id}`, { as: key })).body.webhook;
}

export async function readDeliveries(service: Service, key: string, id: string, query = '') {
  const reply = await service.call('GET', `/v1/webhooks/${id}/deliveries?limit=100${query}`, { as: key });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.deliveries;
}

let names = 0;
/** One event `device.created`. */
export async function createDevice(service: Service, key: string): Promise<string> {
  names += 1;
  const reply = await service.call('POST', '/v1/devices', { as: key, body: { name: `Gate ${names}` } });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.device.id;
}

const YIELD_MS = 5;
/** Lets time pass, then waits until everything that is due was sent. */
export async function deliver({ app, clock }: Pick<Service, 'app' | 'clock'>, ms = 60): Promise<void> {
  clock.advance(ms);
  await app.deps.webhooks.search();
  // A delivery lets a write of the node go first, for a few milliseconds of this clock.
  const going = setInterval(() => clock.advance(YIELD_MS), 250);
  try {
    await app.deps.webhooks.idle();
  } finally {
    clearInterval(going);
  }
}

/** Pauses all webhooks, because later tests share the database and their nodes would serve these. */
export async function pauseAll({ db }: Pick<Service, 'db'>): Promise<void> {
  await db.query(sql.mutation`update webhooks set status = 'paused'`);
}

/** Checks a delivery with nothing but the specification of Standard Webhooks. */
export function expectSigned(
  { headers, text }: Received,
  { secrets, publicKey }: { readonly secrets: readonly string[]; readonly publicKey: string },
): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const sent = String(headers['webhook-signature']).split(' ');
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  expect(sent.slice(0, -1)).toEqual(expected);
  const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const [version, signature = ''] = (sent.at(-1) ?? '').split(',');
  expect(version).toBe('v1a');
  expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true);
}

/** Ends the deliveries. A request in flight would have three more seconds, which only pass when the clock is advanced. */
export async function stopDeliveries({ app, clock }: Service): Promise<void> {
  const stopped = app.deps.webhooks.close();
  clock.advance(3_000);
  await stopped;
}
