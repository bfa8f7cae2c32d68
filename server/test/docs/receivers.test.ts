// @module-tag if-touched @core docs/ examples/ sdk/ cli/ contract/: runs every command of the documentation
import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { samplesOf } from '../support/contract/guides.js';
import { requirePrograms } from '../support/contract/transcript.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type ListeningService, listeningService } from '../support/sdk.js';
import type { Account } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  type Hook,
  LOOPBACK,
  pauseAll,
  type Received,
  startHook,
} from '../support/webhooks.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const place = join(root, '.build', 'receivers');
const PAGE = 'docs/webhooks.md';
/** The types that the receivers select. */
const EVENTS = ['device.*', 'user.*'];

const LANGUAGES = ['ts', 'python', 'go'] as const;
type Language = (typeof LANGUAGES)[number];

const hasGo = spawnSync('go', ['version']).error === undefined;
// `npm test -- --all` installs it, or prints this line itself.
if (!hasGo && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: the receiver in Go, because go is missing.');

function codeOf(language: Language): string {
  const found = samplesOf(PAGE).filter(({ info }) => info === `${language} receiver`);
  expect(found).toHaveLength(1);
  return found[0]?.code as string;
}

/** Writes the program, compiles it if necessary, and returns the command that runs it. */
function prepare(language: Language): readonly [string, ...string[]] {
  const code = codeOf(language);
  const write = (name: string, text: string) => {
    const file = join(place, name);
    writeFileSync(file, text);
    return file;
  };
  if (language === 'ts') {
    const options = { loader: 'ts', format: 'esm', target: 'node20' } as const;
    return [process.execPath, write('receiver.mjs', transformSync(code, options).code)];
  }
  if (language === 'python') {
    requirePrograms('python3');
    return ['python3', write('receiver.py', code)];
  }
  const program = join(place, 'receiver');
  const env = { ...process.env, GOCACHE: join(root, '.build', 'go'), GOFLAGS: '', GOPROXY: 'off' };
  execFileSync('go', ['build', '-o', program, write('receiver.go', code)], { cwd: place, env });
  return [program];
}

type Row = { readonly seq: number; readonly metadata: object };

/** The events of the published chain, as the feed shows them. */
const vectorRows = (): Row[] =>
  readFileSync(join(root, 'docs/vectors/audit-export.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((row) => 'seq' in row)
    .map((row) => ({ ...row, type: row.action, timestamp: row.createdAt }));

/** A service that has only this feed. */
async function startFeed(rows: readonly Row[]) {
  const server = createServer(({ url = '' }, response) => {
    const after = Number.parseInt(new URL(url, 'http://a.test').searchParams.get('after') ?? '0', 10);
    const events = rows.filter(({ seq }) => seq > after);
    const page = { events, next: events.at(-1)?.seq ?? after, environment: 'live' };
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r1' };
    response.writeHead(200, headers).end(JSON.stringify(page));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

let service: ListeningService;
let account: Account;
let key: string;
beforeAll(async () => {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  service = await listeningService({ env: LOOPBACK });
  account = await service.signUp({ plan: 'enterprise' });
  key = await eventKey(service, account);
});
afterAll(async () => {
  await service.app.deps.webhooks.close();
  await service.close();
});

describe.each(LANGUAGES)('the receiver in %s of docs/webhooks.md', (language) => {
  const isMissing = language === 'go' && !hasGo;
  let command: readonly [string, ...string[]];
  beforeAll(() => {
    if (!isMissing) command = prepare(language);
  });

  /** What the webhook sends, before a test forwards it. */
  let hook: Hook;
  let receiver: Receiver;
  let webhook: { id: string; secret: string; cursor: number };
  beforeEach(async () => {
    if (isMissing) return;
    hook = await startHook();
    const created = await createHook(service, key, { url: hook.url, events: EVENTS });
    webhook = { ...created, cursor: created.webhook.cursor };
    receiver = await start(service.url, webhook.cursor);
  });
  afterEach(async () => {
    if (isMissing) return;
    await Promise.all([receiver.stop(), hook.stop()]);
    await pauseAll(service);
  });

  const start = (baseUrl: string, cursor: number, secret = webhook.secret) => {
    const env = { BASE_URL: baseUrl, KEY: key, WEBHOOK_SECRET: secret, WEBHOOK_ID: webhook.id };
    return startReceiver(command, { ...env, CURSOR: String(cursor) });
  };

  /** Causes an event, and returns its delivery. */
  async function nextDelivery(): Promise<Received> {
    const before = hook.received.length;
    await createDevice(service, key);
    await deliver(service, 3_000);
    expect(hook.received).toHaveLength(before + 1);
    return hook.received.at(-1) as Received;
  }

  const headersOf = ({ headers }: Received): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        /^(content-type|webhook-|svc-)/.test(name) ? [[name, String(value)]] : [],
      ),
    );

  /** Sends a delivery on, changed or not, and returns the status and the lines that the receiver then prints. */
  async function forward(
    delivery: Received,
    { text = delivery.text, headers = {} as Record<string, string>, lines = 1 } = {},
  ) {
    const before = receiver.lines.length;
    const init = { method: 'POST', headers: { ...headersOf(delivery), ...headers }, body: text };
    const { status } = await fetch(receiver.url, init);
    await receiver.printed(before + lines);
    return { status, lines: receiver.lines.slice(before) };
  }

  const acceptedLine = ({ body }: Received) => `accepted evt_${body.data.id} ${body.type} ${body.data.seq}`;

  function signed(delivery: Received, secret: string, at: number): Record<string, string> {
    const text = `${delivery.headers['webhook-id']}.${at}.${delivery.text}`;
    const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(text);
    return { 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac.digest('base64')}` };
  }
  const nowSeconds = () => Math.floor(Date.now() / 1000);

  it.skipIf(isMissing)('accepts a delivery, and ignores its duplicates and replays', async () => {
    const delivery = await nextDelivery();
    expect(await forward(delivery)).toEqual({ status: 204, lines: [acceptedLine(delivery)] });
    const duplicate = { status: 204, lines: [`duplicate evt_${delivery.body.data.id}`] };
    expect(await forward(delivery)).toEqual(duplicate);
    const { seq } = delivery.body.data;
    await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { as: key, body: { fromSeq: seq } });
    const replay = await vi.waitFor(async () => {
      await deliver(service, 3_000);
      const last = hook.received.at(-1) as Received;
      expect(last.headers['svc-replay']).toBe('true');
      return last;
    });
    expect(await forward(replay)).toEqual(duplicate);
  });

  it.skipIf(isMissing)('rejects a changed body, another secret and a time outside five minutes', async () => {
    const delivery = await nextDelivery();
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const now = nowSeconds();
    const rejected = (reason: string) => ({ status: 401, lines: [`rejected ${reason}`] });
    const text = delivery.text.replace('"success"', '"failure"');
    expect(text).not.toBe(delivery.text);
    expect(await forward(delivery, { text })).toEqual(rejected('no_match'));
    expect(await forward(delivery, { headers: signed(delivery, other, now) })).toEqual(rejected('no_match'));
    const old = signed(delivery, webhook.secret, now - 310);
    expect(await forward(delivery, { headers: old })).toEqual(rejected('too_old'));
    const { status } = await forward(delivery, { headers: signed(delivery, webhook.secret, now + 310) });
    expect(status).toBe(401);
    const later = String(Number(delivery.headers['webhook-timestamp']) + 1);
    const changed = await forward(delivery, { headers: { 'webhook-timestamp': later } });
    expect(changed, 'the timestamp is signed, too').toEqual(rejected('no_match'));
    expect((await forward(delivery, { headers: { 'webhook-signature': 'v1,' } })).status).toBe(401);
    expect((await forward(delivery, { headers: signed(delivery, webhook.secret, now - 290) })).lines).toEqual(
      [acceptedLine(delivery)],
    );
  });

  it.skipIf(isMissing)('accepts both secrets until the grace ends', async () => {
    await service.call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, { as: key, body: {} });
    const delivery = await nextDelivery();
    expect(String(delivery.headers['webhook-signature']).match(/v1,/g)).toHaveLength(2);
    expect((await forward(delivery)).status).toBe(204);
  });

  const fromFeed = (delivery: Received) => [
    `not delivered yet: evt_${delivery.body.data.id}`,
    acceptedLine(delivery),
  ];

  it.skipIf(isMissing)('notices a missing event, reads it from the feed, and handles it first', async () => {
    const [first, missing, next] = [await nextDelivery(), await nextDelivery(), await nextDelivery()];
    await forward(first);
    expect(await forward(next, { lines: 3 })).toEqual({
      status: 204,
      lines: [...fromFeed(missing), acceptedLine(next)],
    });
    expect((await forward(missing)).lines, 'it may have been late').toEqual([
      `duplicate evt_${missing.body.data.id}`,
    ]);
    const last = await nextDelivery();
    expect((await forward(last)).lines).toEqual([acceptedLine(last)]);
  });

  it.skipIf(isMissing)('notices that the first event is missing, by the cursor of the webhook', async () => {
    const [missing, next] = [await nextDelivery(), await nextDelivery()];
    expect((await forward(next, { lines: 3 })).lines).toEqual([...fromFeed(missing), acceptedLine(next)]);
  });

  it.skipIf(isMissing)('notices a missing event before one without previousSeq', async () => {
    const [first, missing] = [await nextDelivery(), await nextDelivery()];
    await forward(first);
    await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { as: key, body: { events: ['device.*'] } });
    const next = await nextDelivery();
    expect(next.body.data.previousSeq).toBeNull();
    expect((await forward(next, { lines: 3 })).lines).toEqual([...fromFeed(missing), acceptedLine(next)]);
  });

  it.skipIf(isMissing)('notices at its start that the last event is missing', async () => {
    const missing = await nextDelivery();
    const later = await start(service.url, webhook.cursor);
    await later.printed(3);
    await later.stop();
    expect(later.lines.slice(0, 2)).toEqual(fromFeed(missing));
  });

  it.skipIf(isMissing)('handles no event that its hash, or the hash before it, does not prove', async () => {
    const [first, second, third] = [await nextDelivery(), await nextDelivery(), await nextDelivery()];
    const forged = (delivery: Received, change: object) => {
      const text = JSON.stringify({ ...delivery.body, data: { ...delivery.body.data, ...change } });
      return { text, headers: signed({ ...delivery, text }, webhook.secret, nowSeconds()) };
    };
    const { id, seq } = first.body.data;
    const other = '0'.repeat(64);
    expect((await forward(first, forged(first, { entityId: other }))).lines).toEqual([
      `failed: evt_${id} does not have its hash`,
    ]);
    const previous = { previousSeq: seq - 1, previousHash: other };
    expect((await forward(first, forged(first, previous))).lines).toEqual([
      `failed: evt_${id} does not follow event ${seq - 1}`,
    ]);
    expect((await forward(third, { ...forged(third, { previousHash: other }), lines: 5 })).lines).toEqual([
      ...fromFeed(first),
      ...fromFeed(second),
      `failed: the feed does not prove event ${third.body.data.seq}`,
    ]);
    expect((await forward(third)).lines).toEqual([acceptedLine(third)]);
  });

  it.skipIf(isMissing).each([
    ['as it is', (rows: Row[]) => rows, undefined],
    ['without an event', (rows: Row[]) => rows.toSpliced(3, 1), 'failed: '],
    [
      'with another text',
      (rows: Row[]) => rows.with(3, { ...(rows[3] as Row), metadata: { text: 'x' } }),
      'failed: ',
    ],
  ])('reads a feed with every kind of text %s', async (_, change, failure) => {
    const events = change(vectorRows());
    const feed = await startFeed(events);
    const from = await start(feed.url, 0);
    await from.printed(failure === undefined ? 7 : 6);
    await from.stop();
    feed.close();
    const accepted = from.lines
      .filter((line) => line.startsWith('accepted'))
      .map((line) => Number(line.split(' ')[3]));
    expect(accepted).toEqual(failure === undefined ? [1, 3, 5] : [1, 3]);
    const others = from.lines.filter((line) => !/^(accepted|not delivered yet)/.test(line));
    expect(others).toEqual([
      ...(failure === undefined ? [] : [expect.stringMatching(`^${failure}`)]),
      expect.stringMatching(/^listening/),
    ]);
  });

  it.skipIf(isMissing)('accepts a test event, which is not in the feed', async () => {
    await service.call('POST', `/v1/webhooks/${webhook.id}/test`, { as: key });
    const { status, lines } = await forward(hook.received[0] as Received);
    expect(status).toBe(204);
    expect(lines[0]).toMatch(/^accepted evt_[0-9a-f-]{36} webhook\.test /);
  });

  it('selects the types that the tests use', () => {
    expect(codeOf(language)).toContain(`"${EVENTS.join()}"`.replaceAll('"', language === 'ts' ? "'" : '"'));
  });
});

describe('the receivers', () => {
  it('in TypeScript compiles strictly against the SDK', () => {
    const folder = join(root, '.build', 'receiver-types');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'receiver.ts'), codeOf('ts'));
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { types: ['node'], customConditions: ['source'] },
      include: ['*.ts'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it.skipIf(!hasGo)('in Go is formatted as gofmt does', () => {
    const file = join(place, 'format.go');
    writeFileSync(file, codeOf('go'));
    expect(execFileSync('gofmt', ['-l', file], { encoding: 'utf8' })).toBe('');
  });
});
