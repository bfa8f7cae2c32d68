import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Event, verifyWebhook } from '@svc/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../test/receiver.js';
import { bodyOf, type Forwarder, forward } from './forward.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TENANT = '019e1b2c-4321-7abc-8def-0123456789ab';
const EVENT: Event = {
  id: '019e1b2c-1234-7abc-8def-0123456789ab',
  seq: 42,
  environment: 'test',
  actorType: 'api_key',
  actorId: null,
  action: 'user.created',
  entityType: 'user',
  entityId: null,
  status: 'success',
  summary: 'A user was created',
  createdAt: '2026-05-12T09:30:00.000Z',
  metadata: {},
  prevHash: '0'.repeat(64),
  hash: '1'.repeat(64),
  type: 'user.created',
  timestamp: '2026-05-12T09:30:00.000Z',
};
const AT = Date.parse('2026-05-12T09:30:01.500Z');

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

/** What is forwarded, with the pauses between the attempts. */
async function forwardTo(url: string, change: Partial<Forwarder> = {}) {
  const pauses: [number, string][] = [];
  const result = await forward(
    {
      url,
      secret: SECRET,
      fetch,
      signal: new AbortController().signal,
      now: () => AT,
      pause: async (ms, error) => void pauses.push([ms, error]),
      ...change,
    },
    EVENT,
    TENANT,
    { seq: 40, hash: 'ab' },
  );
  return { result, pauses };
}

describe('forwarding an event', () => {
  it('posts the body of a delivery with a valid signature and the event’s id', async () => {
    receiver = await startReceiver();
    const { result, pauses } = await forwardTo(receiver.url);
    const { headers, body } = await receiver.delivery(1);
    expect(body).toBe(bodyOf(EVENT, TENANT, { seq: 40, hash: 'ab' }));
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'svc-webhooks/1' });
    const data = { ...EVENT, tenantId: TENANT, previousSeq: 40, previousHash: 'ab' };
    expect(await verifyWebhook(SECRET, headers, body, { now: AT })).toEqual({
      id: `evt_${EVENT.id}`,
      type: 'user.created',
      timestamp: EVENT.timestamp,
      data,
    });
    expect(pauses).toEqual([]);
    expect(result).toEqual({
      at: '2026-05-12T09:30:01.500Z',
      type: 'user.created',
      seq: 42,
      attempts: 1,
      status: 204,
      durationMs: 0,
      error: null,
    });
  });

  it('names no event before the first one of a session', () => {
    expect(JSON.parse(bodyOf(EVENT, TENANT, undefined)).data).toMatchObject({
      previousSeq: null,
      previousHash: null,
    });
  });

  it('tries again after 1 s and 5 s with the same id, and then gives up', async () => {
    receiver = await startReceiver(() => 500);
    const { result, pauses } = await forwardTo(receiver.url);
    expect(result).toMatchObject({ attempts: 3, status: 500, error: 'the receiver returned 500' });
    expect(pauses.map(([ms]) => ms)).toEqual([1_000, 5_000]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  it('succeeds with any attempt that is accepted', async () => {
    receiver = await startReceiver((number) => (number === 1 ? undefined : 200));
    const { result, pauses } = await forwardTo(receiver.url);
    expect(result).toMatchObject({ attempts: 2, status: 200, error: null });
    expect(pauses).toHaveLength(1);
  });

  it('does not follow a redirect', async () => {
    receiver = await startReceiver(() => 302);
    const { result } = await forwardTo(receiver.url);
    expect(result).toMatchObject({ status: 302, error: 'the receiver returned 302' });
    expect(receiver.received).toHaveLength(3);
  });

  it('reports that nothing is listening', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { result } = await forwardTo(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ attempts: 3, status: null, error: 'nothing is listening there' });
  });

  it('ends with the reason of an aborted signal', async () => {
    const reason = new Error('Ctrl-C');
    await expect(forwardTo('http://127.0.0.1:9/', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });
});
