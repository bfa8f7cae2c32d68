import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, diverged, EVENTS, feedServer, page } from '../../test/feed.js';
import type { HostileServer } from '../../test/hostile-server.js';
import { fastTiming, manualTiming, NEVER_MS } from '../../test/timing.js';
import {
  type Event,
  EventGapError,
  type EventReadOptions,
  positionOf,
  Svc,
  type SvcOptions,
  verifyEventHash,
} from '../sdk.js';

const KEY = `svc_live_${'0'.repeat(48)}`;
const [FIRST, SECOND, THIRD] = EVENTS as [Event, Event, Event];

let server: HostileServer | undefined;
afterEach(() => server?.close());

async function feed(answers: readonly Answer[], options: Partial<SvcOptions> = {}) {
  server = await feedServer(answers);
  const slow = { timing: fastTiming(), timeoutMs: NEVER_MS };
  return new Svc({ baseUrl: server.url, apiKey: KEY, ...slow, ...options }).events;
}

/** The events and the error of a reader that ends at the head. */
async function readFrom(answers: readonly Answer[], options: EventReadOptions = {}) {
  const events = await feed(answers);
  const seqs: number[] = [];
  try {
    for await (const { seq } of events.read({ wait: 0, ...options })) seqs.push(seq);
    return { seqs, error: undefined };
  } catch (error) {
    return { seqs, error };
  }
}
const queries = () =>
  server?.requests.map(({ line }) => new URL(line.slice(4), 'http://a.test').search) ?? [];

describe('verifying the hash of an event', () => {
  const delivered = { ...SECOND, tenantId: 'tenant', previousSeq: 1, previousHash: FIRST.hash };

  it.each([
    ['an event of the feed', SECOND, true],
    ['a delivery', delivered, true],
    ['a later delivery of the same event', { ...delivered, previousSeq: null, previousHash: null }, true],
    ['another record', { ...delivered, entityId: 'other' }, false],
    ['another type', { ...delivered, type: 'user.created' }, false],
    ['another time', { ...delivered, timestamp: THIRD.timestamp }, false],
    ['another event before it', { ...delivered, prevHash: SECOND.hash }, false],
    ['a field that events do not have', { ...delivered, more: 1 }, false],
  ])('%s', async (_, event, expected) => {
    expect(await verifyEventHash(event)).toBe(expected);
  });
});

describe('reading the feed', () => {
  it('passes on each event of each page in order, and ends at the head with wait 0', async () => {
    const { seqs, error } = await readFrom([EVENTS.slice(0, 2), EVENTS.slice(2)]);
    expect(error).toBeUndefined();
    expect(seqs).toEqual(EVENTS.map(({ seq }) => seq));
    const last = EVENTS.at(-1) as Event;
    expect(queries()).toEqual([
      '?after=0&wait=0',
      `?after=${positionOf(SECOND)}&wait=0`,
      `?after=${positionOf(last)}&wait=0`,
    ]);
    expect(positionOf(SECOND)).toBe(`2.${SECOND.hash.slice(0, 16)}`);
  });

  it.each([1, '1', positionOf(FIRST)])('begins after %s', async (after) => {
    expect(await readFrom([[SECOND]], { after })).toMatchObject({ seqs: [2], error: undefined });
    expect(queries()[0]).toBe(`?after=${after}&wait=0`);
  });

  it.each(['-1', 'x', '1.', '1.zz', 1.5, ''])(
    'rejects the position %j before it sends anything',
    async (after) => {
      const { error } = await readFrom([], { after });
      expect(error).toMatchObject({ code: 'invalid_options' });
      expect(queries()).toEqual([]);
    },
  );

  it.each<[string, EventReadOptions, readonly Event[], object]>([
    ['is missing', {}, [FIRST, THIRD], { reason: 'event_missing', expectedSeq: 2, seq: 3 }],
    ['comes twice', {}, [FIRST, FIRST], { reason: 'order_wrong', expectedSeq: 2, seq: 1 }],
    ['was changed', {}, [FIRST, { ...SECOND, entityId: 'x' }], { reason: 'hash_wrong', seq: 2 }],
    ['has another type', {}, [FIRST, { ...SECOND, type: 'user.created' }], { reason: 'hash_wrong' }],
    ['has another time', {}, [FIRST, { ...SECOND, timestamp: FIRST.timestamp }], { reason: 'hash_wrong' }],
    ['has another link', {}, [FIRST, { ...SECOND, prevHash: THIRD.hash }], { reason: 'link_broken', seq: 2 }],
    ['follows another position', { after: `1.${'0'.repeat(16)}` }, [SECOND], { reason: 'link_broken' }],
    ['is missing and the filter is *', { types: ['*'] }, [FIRST, THIRD], { reason: 'event_missing' }],
    [
      'was changed and there is a filter',
      { types: 'user.*' },
      [FIRST, { ...THIRD, summary: '' }],
      { reason: 'hash_wrong' },
    ],
    [
      'comes twice and there is a filter',
      { types: 'user.*' },
      [THIRD, FIRST],
      { reason: 'order_wrong', seq: 1 },
    ],
  ])('fails if an event %s', async (_, options, events, expected) => {
    const { seqs, error } = await readFrom([events], options);
    expect(error).toBeInstanceOf(EventGapError);
    expect(error).toMatchObject({ name: 'EventGapError', code: 'event_gap', ...expected });
    // Everything before the faulty event was passed on.
    expect(seqs).toEqual(events.slice(0, -1).map(({ seq }) => seq));
  });

  it('fails if the service says that the chain has diverged', async () => {
    const { seqs, error } = await readFrom([[FIRST, SECOND], diverged]);
    expect(seqs).toEqual([1, 2]);
    expect(error).toBeInstanceOf(EventGapError);
    expect(error).toMatchObject({ reason: 'chain_diverged', expectedSeq: 3, seq: undefined, status: 409 });
  });

  it('leaves out events that a filter does not select, and continues where it has examined', async () => {
    const answers = [page([FIRST], 40), page([], 10_040), page([], 10_050)];
    const { seqs, error } = await readFrom(answers, { types: ['device.*', 'user.created'] });
    expect({ seqs, error }).toEqual({ seqs: [1], error: undefined });
    const types = '&types=device.*%2Cuser.created&wait=0';
    expect(queries()).toEqual([
      `?after=0${types}`,
      `?after=${positionOf(FIRST)}${types}`,
      `?after=10040${types}`,
      `?after=10050${types}`,
    ]);
  });

  it('waits for the next event with a timeout that covers the wait, until it is aborted', async () => {
    const timing = manualTiming();
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const events = await feed([[FIRST], () => arrived()], { timing, timeoutMs: 15_000 });
    const abort = new AbortController();
    const reader = events.read({ signal: abort.signal });
    expect((await reader.next()).value).toMatchObject({ seq: 1 });
    const next = reader.next();
    await asked;
    await timing.waitsFor(15_000 + 25_000);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(queries()).toEqual(['?after=0&wait=25', `?after=${positionOf(FIRST)}&wait=25`]);
  });

  it('pauses for a second if the server does not wait, and retries when it is gone', async () => {
    const timing = fastTiming();
    const cut = (socket: { destroy(): unknown }) => void socket.destroy();
    const events = await feed([[], cut, [FIRST]], { timing });
    expect((await events.read().next()).value).toMatchObject({ seq: 1 });
    expect(timing.waits).toEqual([1_000, 250]);
  });
});

it('one page of the feed has the service’s fields', async () => {
  const events = await feed([[FIRST]]);
  const listed = await events.list({ after: 0, types: ['device.*', 'user.*'], limit: 1, wait: 1 });
  expect(listed).toEqual({ events: [FIRST], next: 1, environment: 'live' });
  expect(queries()).toEqual(['?after=0&types=device.*%2Cuser.*&limit=1&wait=1']);
});
