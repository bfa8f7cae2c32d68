import { afterEach, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const REPLIES = {
  webhook: { id: 'w' },
  secret: 'whsec_x',
  deleted: true,
  delivery: { id: 'd' },
  replay: { fromSeq: 1, toSeq: 2 },
  webhooks: [],
  deliveries: [{ id: 'd' }],
  nextCursor: null,
};

it('the methods of webhooks send their operations and return their records', async () => {
  server = await hostileServer((socket) => respond(socket, 200, REPLIES));
  const { webhooks } = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
  const webhook = { url: 'https://a.test/hooks', events: ['user.*'] };
  expect(await webhooks.create(webhook)).toMatchObject({ webhook: { id: 'w' }, secret: 'whsec_x' });
  expect(await webhooks.list({ limit: 5 }).first()).toMatchObject({ webhooks: [] });
  expect(await webhooks.get('w')).toEqual({ id: 'w' });
  expect(await webhooks.update('w', { status: 'paused' })).toEqual({ id: 'w' });
  expect(await webhooks.rotateSecret('w')).toBe('whsec_x');
  expect(await webhooks.rotateSecret('w', { graceSeconds: 0 })).toBe('whsec_x');
  expect(await webhooks.test('w')).toEqual({ id: 'd' });
  expect(await webhooks.replay('w', { fromSeq: 1 })).toEqual({ fromSeq: 1, toSeq: 2 });
  expect((await webhooks.listDeliveries('w', { status: 'failed' }).first()).deliveries).toEqual([
    { id: 'd' },
  ]);
  expect(await webhooks.delete('w')).toBeUndefined();
  expect(server.requests.map(({ line, body }) => [line, body && JSON.parse(body)])).toEqual([
    ['POST /v1/webhooks', webhook],
    ['GET /v1/webhooks?limit=5', ''],
    ['GET /v1/webhooks/w', ''],
    ['PATCH /v1/webhooks/w', { status: 'paused' }],
    ['POST /v1/webhooks/w/rotate-secret', {}],
    ['POST /v1/webhooks/w/rotate-secret', { graceSeconds: 0 }],
    ['POST /v1/webhooks/w/test', ''],
    ['POST /v1/webhooks/w/replay', { fromSeq: 1 }],
    ['GET /v1/webhooks/w/deliveries?status=failed', ''],
    ['DELETE /v1/webhooks/w', ''],
  ]);
});
