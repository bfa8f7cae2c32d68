import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEventRow } from '../../../ledger/read-events.js';
import type { Progress, RetryRow } from './deliveries.store.js';
import {
  type Chunk,
  type Page,
  plan,
  planReplay,
  planRetries,
  type Subscription,
  subscriptionOf,
  withRetries,
} from './plan.js';

const START = Date.parse('2026-05-12T09:30:00.000Z');
/** Two minutes after any event of these tests, so that every minute is over. */
const LATER = START + 3_600_000;
const scope = { tenantId: '019dc91f-0000-7000-8000-000000000001', environment: 'live' };
const WEBHOOK = '019dc91f-0000-7000-8000-000000000002';

interface Step {
  readonly action: string;
  readonly status: 'success' | 'failure';
  readonly gapMs: number;
  readonly isOwn: boolean;
}

const idOf = (seq: number) => `019dc91f-0000-7000-8000-${String(seq).padStart(12, '0')}`;

function chainOf(steps: readonly Step[]): AuditEventRow[] {
  let at = START;
  return steps.map(({ action, status, gapMs, isOwn }, index) => {
    at += gapMs;
    return {
      seq: index + 1,
      id: idOf(index + 1),
      environment: 'live',
      actor_type: 'api_key',
      actor_id: null,
      action,
      entity_type: isOwn ? 'webhook' : 'device',
      entity_id: isOwn ? WEBHOOK : null,
      status,
      summary: action,
      created_at: new Date(at),
      metadata: {},
      canonical: '{}',
      prev_hash: `hash ${index}`,
      hash: `hash ${index + 1}`,
    };
  });
}

/** Mostly floods, so that most minutes have more of them than are delivered one by one. */
const step = fc.record({
  action: fc.constantFrom(
    ...Array(6).fill('identity.verify'),
    'pairing.submit',
    'device.created',
    'user.created',
  ),
  status: fc.constantFrom(...Array(5).fill('failure' as const), 'success' as const),
  gapMs: fc.oneof({ weight: 200, arbitrary: fc.nat(100) }, { weight: 1, arbitrary: fc.constant(60_000) }),
  isOwn: fc.constantFrom(false, false, false, true),
});
const steps = fc.array(step, { minLength: 200, maxLength: 400, size: 'max' });
const subscription = fc
  .record({
    events: fc.constantFrom<string[]>(
      ['*'],
      ['identity.*'],
      ['device.created', 'pairing.*'],
      ['user.deleted'],
    ),
    outcome: fc.constantFrom('any' as const, 'any' as const, 'failure' as const, 'success' as const),
    ordered: fc.constantFrom(false, false, true),
    throttled: fc.constantFrom(true, true, false),
  })
  .map((row) => subscriptionOf({ id: WEBHOOK, ...row }, scope));

const BEGIN: Progress = { cursor: { seq: 0, hash: 'hash 0' }, previous: null, throttle: null, replay: null };

function pageOf(rows: readonly AuditEventRow[], from: Progress, head: number): Page {
  const { seq, hash } = rows.at(-1) ?? from.cursor;
  return { rows, until: { seq, hash }, isAtHead: seq === head };
}

/** Plans a chain that is read in parts. */
function planParts(
  own: Subscription,
  from: Progress,
  parts: readonly AuditEventRow[][],
  head: number,
): Chunk {
  let at = from;
  const deliveries = parts.flatMap((rows) => {
    const chunk = plan(own, at, pageOf(rows, at, head), LATER);
    at = { ...at, ...chunk.end };
    return chunk.deliveries;
  });
  return { deliveries, end: { cursor: at.cursor, previous: at.previous, throttle: at.throttle } };
}

function cut(events: readonly AuditEventRow[], sizes: readonly number[]): AuditEventRow[][] {
  const parts: AuditEventRow[][] = [];
  for (let from = 0, at = 0; from < events.length; at += 1) {
    const size = sizes[at % sizes.length] ?? 1;
    parts.push(events.slice(from, from + size));
    from += size;
  }
  return parts;
}

const ids = ({ deliveries }: Chunk) => deliveries.map(({ message }) => message.eventId);

describe('the plan of a chain', () => {
  it('has the same messages, cursors and summaries however the chain is cut into parts', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 });
    fc.assert(
      fc.property(steps, subscription, sizes, (all, own, parts) => {
        const events = chainOf(all);
        const whole = planParts(own, BEGIN, [events], events.length);
        expect(planParts(own, BEGIN, cut(events, parts), events.length)).toEqual(whole);
      }),
    );
  });

  it('is the same if events that the webhook does not select were not read', () => {
    fc.assert(
      fc.property(steps, subscription, (all, own) => {
        const events = chainOf(all);
        const last = events.at(-1);
        const { types } = own.filter;
        const read = events.filter(
          (event) => types === undefined || types.has(event.action) || event === last,
        );
        expect(planParts(own, BEGIN, [read], events.length)).toEqual(
          planParts(own, BEGIN, [events], events.length),
        );
      }),
    );
  });

  it('continues with the same deliveries before any of which a node ended', () => {
    fc.assert(
      fc.property(steps, subscription, fc.nat(), (all, own, choice) => {
        const events = chainOf(all);
        const whole = planParts(own, BEGIN, [events], events.length);
        if (whole.deliveries.length === 0) return;
        const at = choice % whole.deliveries.length;
        // As the database stores it.
        const from = JSON.parse(JSON.stringify({ ...BEGIN, ...whole.deliveries[at]?.before })) as Progress;
        const left = events.slice(from.cursor.seq);
        const continued = planParts(own, from, [left], events.length);
        expect(continued.deliveries).toEqual(whole.deliveries.slice(at));
        expect(continued.end).toEqual(whole.end);
      }),
    );
  });

  it('names before each event the one that was selected before it', () => {
    const events = chainOf(
      ['device.created', 'user.created', 'device.created', 'device.created'].map((action) => ({
        action,
        status: 'success' as const,
        gapMs: 1,
        isOwn: false,
      })),
    );
    const own = subscriptionOf(
      { id: WEBHOOK, events: ['device.*'], outcome: 'any', ordered: false, throttled: true },
      scope,
    );
    const { deliveries } = plan(own, BEGIN, pageOf(events, BEGIN, 4), START);
    expect(deliveries.map(({ message, previous }) => [message.seq, previous?.seq ?? null])).toEqual([
      [1, null],
      [3, 1],
      [4, 3],
    ]);
  });

  it('keeps the summary of a minute until it is over', () => {
    const events = chainOf(
      Array.from({ length: 61 }, () => ({
        action: 'identity.verify',
        status: 'failure' as const,
        gapMs: 0,
        isOwn: false,
      })),
    );
    const own = subscriptionOf(
      { id: WEBHOOK, events: ['*'], outcome: 'any', ordered: false, throttled: true },
      scope,
    );
    const page = pageOf(events, BEGIN, 61);
    expect(plan(own, BEGIN, page, START + 60_000).deliveries).toHaveLength(60);
    const { deliveries, end } = plan(own, BEGIN, page, START + 65_000);
    expect(deliveries.at(-1)?.message.type).toBe('events.throttled');
    expect(end).toMatchObject({ cursor: { seq: 61 }, throttle: null });
  });
});

const retryOf = (seq: number, rest: Partial<RetryRow> = {}): RetryRow => ({
  event_id: idOf(seq),
  seq,
  is_replay: false,
  previous_seq: seq - 1,
  previous_hash: `hash ${seq - 1}`,
  summary: null,
  attempts: 2,
  first_at: new Date(START),
  next_at: new Date(START + 1_000),
  ...rest,
});
const events = chainOf(
  Array.from({ length: 3 }, () => ({
    action: 'device.created',
    status: 'success' as const,
    gapMs: 1,
    isOwn: false,
  })),
);
const everything = subscriptionOf(
  { id: WEBHOOK, events: ['*'], outcome: 'any', ordered: false, throttled: true },
  scope,
);

describe('an event that failed before', () => {
  const chunk = plan(everything, BEGIN, pageOf(events, BEGIN, 3), START);

  it('is left out of the chain by a webhook without order, because it has a time of its own', () => {
    const left = withRetries(chunk, [retryOf(1)], false);
    expect([ids(left), left.end]).toEqual([[idOf(2), idOf(3)], chunk.end]);
  });

  it('keeps its place and its attempts in an ordered webhook', () => {
    const { deliveries } = withRetries(chunk, [retryOf(2)], true);
    expect(deliveries.map(({ retry }) => retry?.attempts ?? null)).toEqual([null, 2, null]);
  });

  it('is sent with the event before it that was selected then', () => {
    const retries = planRetries(
      everything,
      [retryOf(3, { previous_seq: 1, previous_hash: 'hash 1' })],
      byOf(events),
    );
    expect(JSON.parse(retries?.deliveries[0]?.message.body ?? '').data).toMatchObject({
      seq: 3,
      previousSeq: 1,
      previousHash: 'hash 1',
    });
  });

  it('stops the webhook if its number belongs to another event', () => {
    expect(planRetries(everything, [retryOf(2, { event_id: idOf(9) })], byOf(events))).toBeUndefined();
    expect(planRetries(everything, [retryOf(4)], byOf(events))).toBeUndefined();
  });
});

const byOf = (rows: readonly AuditEventRow[]) => new Map(rows.map((row) => [row.seq, row]));

describe('the plan of a replay', () => {
  it('begins with the event that was selected before it, and remembers what is left', () => {
    const part = { rows: events.slice(1), until: 3, to: 5 };
    const { deliveries, end } = planReplay(everything, part, { seq: 1, hash: 'hash 1' });
    expect(
      deliveries.map(({ previous, before, isReplay }) => [previous?.seq, before.replay, isReplay]),
    ).toEqual([
      [1, { from: 2, to: 5 }, true],
      [2, { from: 3, to: 5 }, true],
    ]);
    expect(end).toEqual({ replay: { from: 4, to: 5 } });
    expect(planReplay(everything, { ...part, until: 5 }, null).end).toEqual({ replay: null });
  });
});
