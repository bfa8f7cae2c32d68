// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command
import { Svc, verifyWebhook, type Webhook } from '@svc/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { did, ids, proof, publicSignals } from '../../server/src/model/example-fixtures.js';
import { type ListeningService, listeningService } from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';
import { type Received, type Receiver, startReceiver } from './receiver.js';

let service: ListeningService;
let account: Account;
let key: string;
let receiver: Receiver;
beforeAll(async () => {
  const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' };
  service = await listeningService({ env });
  account = await service.signUp({ plan: 'growth' });
  const scopes = ['events:read', 'webhooks:write', 'users:write', 'users:read', 'zkp:verify'] as const;
  key = await service.createKey(account, 'test', scopes);
});
afterAll(() => service.close());
afterEach(() => receiver?.close());

const environment = () => ({ BASE_URL: service.url, SVC_API_KEY: key });
const svc = (...args: string[]) => runSvc(args, environment());
const createUser = (fullName: string) =>
  new Svc({ baseUrl: service.url, apiKey: key }).users.create({ fullName });
/** Resolves when a stream is open, so that the next event reaches it. */
const streaming = () => vi.waitFor(() => expect(service.app.deps.streams.size).toBe(1));

describe('svc listen', () => {
  it('forwards each event with a valid signature until Ctrl-C', async () => {
    receiver = await startReceiver();
    const args = ['listen', '--forward', receiver.url, '--types', 'user.*', '--json'];
    const listening = startSvc(args, environment());
    await listening.waitForOutput(/Connected to http/);
    await streaming();
    const users = [await createUser('Ada'), await createUser('Grace')];
    await receiver.delivery(2);
    listening.interrupt();
    const { code, out, err } = await listening.ended;
    expect({ code, err }).toEqual({ code: 0, err: `Connected to ${service.url}. Ctrl-C ends.\n` });
    const [started, ...forwarded] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(started.forward).toBe(receiver.url);

    const now = service.clock.now();
    const events = await Promise.all(
      receiver.received.map(({ headers, body }) =>
        verifyWebhook(started.secret, headers, body, { toleranceSeconds: 86_400, now }),
      ),
    );
    const { events: feed } = await new Svc({ baseUrl: service.url, apiKey: key }).events.list({
      types: 'user.*',
    });
    expect(events.map(({ data }) => data)).toEqual(
      feed.map((event, at) => ({
        ...event,
        tenantId: account.tenantId,
        previousSeq: feed[at - 1]?.seq ?? null,
        previousHash: feed[at - 1]?.hash ?? null,
      })),
    );
    expect(events.map(({ id }) => id)).toEqual(feed.map(({ id }) => `evt_${id}`));
    expect(feed.map(({ entityId }) => entityId)).toEqual(users.map(({ id }) => id));
    expect(forwarded).toMatchObject(
      feed.map(({ type, seq }) => ({ type, seq, status: 204, attempts: 1, error: null })),
    );
  });

  it('begins after an event, with a secret of its user, and prints a line for each event', async () => {
    receiver = await startReceiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    for (const name of ['Alan', 'Kurt']) await createUser(name);
    const listening = startSvc(
      ['listen', '--forward', receiver.url, '--after', '0', '--secret', secret],
      environment(),
    );
    const { headers, body } = await receiver.delivery(1);
    const event = await verifyWebhook(secret, headers, body, { toleranceSeconds: 86_400 });
    expect(event.data).toMatchObject({ seq: 1, previousSeq: null });
    // The line of an event is printed before the next one is sent.
    await receiver.delivery(3);
    listening.interrupt();
    const { code, out } = await listening.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^Secret of this session: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n/);
    expect(out).toMatch(/^\d\d:\d\d:\d\d {2}user\.created +2 {2}204 {2}\d+ ms$/m);
  });

  it('sends failures unless only successes are asked for, and then names none as the event before', async () => {
    await createUser('Emmy');
    const body = { did, proof, publicSignals, nonce: ids.proofNonce, timestamp: service.clock.now() };
    expect((await service.call('POST', '/v1/identity/verify', { as: key, body })).status).toBe(401);
    await createUser('Sofia');
    const { events } = await new Svc({ baseUrl: service.url, apiKey: key }).events.list({
      types: 'user.*,identity.*',
    });
    const [before, failed, last] = events.slice(-3);
    expect(failed).toMatchObject({ type: 'identity.verify', status: 'failure' });
    for (const [outcome, expected] of [
      ['any', [failed?.seq, before?.seq]],
      ['success', [last?.seq, before?.seq]],
    ] as const) {
      receiver = await startReceiver();
      const args = ['--forward', receiver.url, '--types', 'user.*,identity.*', '--outcome', outcome];
      const listening = startSvc(
        ['listen', ...args, '--after', String(Number(before?.seq) - 1)],
        environment(),
      );
      const { data } = JSON.parse((await receiver.delivery(2)).body);
      listening.interrupt();
      await listening.ended;
      expect([data.seq, data.previousSeq]).toEqual(expected);
      await receiver.close();
    }
  });

  it.each([
    [['--forward', 'http://localhost:9', '--outcome', 'good'], 'success, failure, any'],
    [['--forward', 'localhost:8080'], '--forward must be'],
    [['--forward', 'http://localhost:9', '--secret', 'secret'], '--secret must be'],
    [['--forward', 'http://localhost:9', '--after', 'x'], 'after is not a position'],
    [[], "required option '--forward <url>'"],
  ])('rejects %j before it sends anything', async (args, message) => {
    expect(await svc('listen', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it('ends if it can’t connect, or if the key has no scope', async () => {
    const listen = ['listen', '--forward', 'http://localhost:9'];
    expect(await runSvc(listen, { BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: key })).toMatchObject({
      code: 3,
    });
    const other = await service.createKey(account, 'test', ['users:read']);
    expect(await runSvc(listen, { BASE_URL: service.url, SVC_API_KEY: other })).toMatchObject({
      code: 4,
      err: expect.stringContaining('403 insufficient_scopes'),
    });
  });
});

describe('svc webhooks', () => {
  it('creates, shows, changes, tests, rotates, replays and deletes a webhook', async () => {
    receiver = await startReceiver();
    await createUser('Alan');
    const created = await svc(
      'webhooks',
      'create',
      '--url',
      receiver.url,
      '--events',
      'user.*',
      '--since',
      '0',
      '--json',
    );
    const { webhook, secret } = created.json as { webhook: Webhook; secret: string };
    expect(webhook).toMatchObject({
      events: ['user.*'],
      ordered: false,
      outcome: 'success',
      status: 'active',
    });

    const tested = await svc('webhooks', 'test', webhook.id);
    expect(tested).toMatchObject({
      code: 0,
      out: expect.stringContaining('The test event was accepted (status 204'),
    });
    const { headers, body } = await receiver.delivery(1);
    const now = service.clock.now();
    // The same delivery, verified with the secret and with the public key.
    for (const credential of [secret, webhook.publicKey])
      expect(await verifyWebhook(credential, headers, body, { now })).toMatchObject({
        type: 'webhook.test',
        data: { webhookId: webhook.id, tenantId: account.tenantId, previousSeq: null },
      });

    await service.app.deps.webhooks.search();
    const delivered = await receiver.delivery(2);
    expect(await verifyWebhook(secret, delivered.headers, delivered.body, { now })).toMatchObject({
      type: 'user.created',
    });
    const rotated = (await svc('webhooks', 'rotate', webhook.id, '--grace-seconds', '60', '--json')).json
      .secret;
    expect(rotated).toMatch(/^whsec_/);
    await svc('webhooks', 'test', webhook.id);
    // Events arrive at the same time.
    const [, both] = receiver.received.filter(({ body }) => body.startsWith('{"type":"webhook.test"')) as [
      Received,
      Received,
    ];
    for (const each of [secret, rotated])
      expect(await verifyWebhook(each, both.headers, both.body, { now })).toMatchObject({
        type: 'webhook.test',
      });

    const listed = await svc('webhooks', 'deliveries', webhook.id, '--status', 'succeeded');
    expect(listed.out).toMatch(/webhook\.test +- +1 +succeeded +204 in \d+ ms/);
    const paused = await svc(
      'webhooks',
      'update',
      webhook.id,
      '--status',
      'paused',
      '--description',
      'Main gate',
    );
    expect(paused.out).toMatch(new RegExp(`^Webhook ${webhook.id}: paused\n`));
    const replayed = await svc('webhooks', 'replay', webhook.id, '--from-seq', '1', '--to-seq', '1');
    expect(replayed.out).toBe('Events 1 to 1 are sent again.\n');
    expect((await svc('webhooks', 'get', webhook.id, '--json')).json.webhook).toMatchObject({
      description: 'Main gate',
      ordered: false,
    });
    await svc('webhooks', 'update', webhook.id, '--ordered');
    expect((await svc('webhooks', 'update', webhook.id, '--outcome', 'any')).out).toContain(
      'user.* (any, ordered)',
    );
    expect((await svc('webhooks', 'update', webhook.id, '--no-ordered')).out).toContain('user.* (any)');
    expect((await svc('webhooks', 'list')).out).toContain(`${webhook.id}  paused`);
    expect(await svc('webhooks', 'delete', webhook.id)).toMatchObject({ code: 0 });
    expect(await svc('webhooks', 'get', webhook.id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('404 webhook_not_found'),
    });
  });

  it('prints the secret once, and reports a test that failed', async () => {
    receiver = await startReceiver(() => 503);
    const created = await svc('webhooks', 'create', '--url', receiver.url, '--events', '*');
    const [, id, secret] =
      /^Webhook (\S+): active\n(?:.+\n)+Secret, returned only once: (whsec_\S+)\n$/.exec(created.out) ?? [];
    expect(secret).toBeDefined();
    expect(await svc('webhooks', 'test', String(id))).toMatchObject({
      code: 1,
      out: expect.stringContaining('failed: status (status 503'),
    });
    for (const command of ['get', 'list'])
      expect((await svc('webhooks', command, ...(command === 'get' ? [String(id)] : []))).out).not.toContain(
        'whsec_',
      );
    await svc('webhooks', 'delete', String(id));
  });

  it.each([
    [['update', 'x'], 'Name at least one change'],
    [['replay', 'x'], 'Pass either --from-seq or --delivery'],
    [['replay', 'x', '--from-seq', '1', '--delivery', 'y'], 'Pass either --from-seq or --delivery'],
    [['rotate', 'x', '--grace-seconds', '1.5'], '--grace-seconds must be a whole number'],
    [['create', '--url', 'https://a.test'], "required option '--events <types>'"],
    [
      ['create', '--url', 'https://a.test', '--events', '*', '--since', 'soon'],
      '--since must be a whole number',
    ],
  ])('rejects %j before it sends anything', async (args, message) => {
    expect(await svc('webhooks', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

it('svc events list shows events after a position', async () => {
  const all = await svc('events', 'list', '--types', 'user.*', '--limit', '2', '--json');
  expect(all.json.events).toHaveLength(2);
  const [first, second] = all.json.events;
  const shown = await svc(
    'events',
    'list',
    '--after',
    String(first.seq),
    '--types',
    'user.*',
    '--limit',
    '1',
  );
  expect(shown.out).toMatch(
    new RegExp(`^SEQ +TIME +TYPE.*\n${second.seq} +\\S+ +user\\.created +success +${second.entityId}\n`),
  );
  expect(shown.out).toContain(`Next: svc events list --after ${second.seq}\n`);
});
