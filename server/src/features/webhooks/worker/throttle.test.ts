import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canAnyoneCause, countEvent, isOver, summariesOf, type Throttle } from './throttle.js';

const START = Date.parse('2026-05-12T09:30:00.000Z');

type Event = Parameters<typeof countEvent>[1];
const failure = (seq: number, ms = 0, action = 'identity.verify'): Event => ({
  seq,
  actor_type: 'phone',
  action,
  status: 'failure',
  created_at: new Date(START + ms),
  metadata: {},
});

/** What is delivered: numbers of single events, and summaries. */
function run(events: readonly Event[]) {
  let throttle: Throttle | null = null;
  const single: number[] = [];
  const summaries: { type: string; fromSeq: number; toSeq: number; count: number }[] = [];
  for (const event of events) {
    const counted = countEvent(throttle, event);
    throttle = counted.throttle;
    summaries.push(...counted.summaries);
    if (!counted.isSummed) single.push(event.seq);
  }
  return { single, summaries: [...summaries, ...summariesOf(throttle)] };
}

describe('failures of verification', () => {
  it('are delivered one by one up to 60 a minute, and then as one summary', () => {
    const { single, summaries } = run(Array.from({ length: 100 }, (_, at) => failure(at + 1, at)));
    expect(single).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(summaries).toEqual([
      { type: 'identity.verify', fromSeq: 61, toSeq: 100, count: 40, at: '2026-05-12T09:31:00.000Z' },
    ]);
  });

  it('are counted by type and minute', () => {
    const flood = (from: number, ms: number, action?: string) =>
      Array.from({ length: 61 }, (_, at) => failure(from + at, ms, action));
    const { summaries } = run([
      ...flood(1, 0),
      ...flood(100, 59_999, 'pairing.submit'),
      ...flood(200, 60_000),
    ]);
    expect(summaries.map(({ type, fromSeq, toSeq }) => [type, fromSeq, toSeq])).toEqual([
      ['identity.verify', 61, 61],
      ['pairing.submit', 160, 160],
      ['identity.verify', 260, 260],
    ]);
  });

  it('that a person should hear of are never summed up', () => {
    for (const action of ['pairing.match_failed', 'session.revoked', 'identity.register']) {
      const events = Array.from({ length: 200 }, (_, at) => failure(at + 1, 0, action));
      expect(run(events)).toEqual({ single: events.map(({ seq }) => seq), summaries: [] });
    }
  });

  it('are each delivered or in exactly one summary, whatever else happens between them', () => {
    const event = fc.record({
      action: fc.constantFrom('identity.verify', 'pairing.submit', 'user.created', 'pairing.declined'),
      status: fc.constantFrom('success' as const, 'failure' as const),
      gap: fc.nat(900),
      proved: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 400 }), (steps) => {
        let at = START;
        const events = steps.map(({ action, status, gap, proved }, index): Event => {
          at += gap;
          const created_at = new Date(at);
          return { seq: index + 1, actor_type: 'phone', action, status, created_at, metadata: { proved } };
        });
        const { single, summaries } = run(events);
        const summed = summaries.flatMap(({ type, fromSeq, toSeq, count }) => {
          const inside = events.filter(
            (one) => one.seq >= fromSeq && one.seq <= toSeq && one.action === type && canAnyoneCause(one),
          );
          expect(inside).toHaveLength(count);
          return inside.map(({ seq }) => seq);
        });
        expect([...single, ...summed].sort((left, right) => left - right)).toEqual(
          events.map(({ seq }) => seq),
        );
      }),
    );
  });

  it('decide the same when a node continues from any state that was stored', () => {
    const events = Array.from({ length: 150 }, (_, at) => failure(at + 1, at * 500));
    const stored = JSON.parse(
      JSON.stringify(
        events
          .slice(0, 70)
          .reduce<Throttle | null>((state, event) => countEvent(state, event).throttle, null),
      ),
    ) as Throttle;
    const continued = events
      .slice(70)
      .reduce<Throttle | null>((state, event) => countEvent(state, event).throttle, stored);
    const whole = events.reduce<Throttle | null>((state, event) => countEvent(state, event).throttle, null);
    expect(continued).toEqual(whole);
  });
});

describe('other events that anyone can cause', () => {
  const success = (seq: number, of: Partial<Event>): Event => ({ ...failure(seq), status: 'success', ...of });
  const flood = (of: Partial<Event>) => Array.from({ length: 100 }, (_, at) => success(at + 1, of));
  const summed = { fromSeq: 61, toSeq: 100, count: 40, at: '2026-05-12T09:31:00.000Z' };

  it('are pairings that a sign-in page opened, but not those of an API key or of the dashboard', () => {
    const type = 'pairing.session_created';
    const opened = (actor_type: string) => run(flood({ action: type, actor_type })).summaries;
    expect(opened('system')).toEqual([{ type, ...summed }]);
    expect(opened('api_key')).toEqual([]);
    expect(opened('console')).toEqual([]);
  });

  it('are declines without a proof, but never one that a registered person proved', () => {
    const type = 'pairing.declined';
    const declined = (proved: boolean) =>
      run(flood({ action: type, metadata: { reason: 'not_me', proved } })).summaries;
    expect(declined(false)).toEqual([{ type, ...summed }]);
    expect(declined(true)).toEqual([]);
  });
});

describe('the minute of a state', () => {
  it('is over when the next one has begun', () => {
    const { throttle } = countEvent(null, failure(1, 30_000));
    expect(isOver(throttle, START + 59_999)).toBe(false);
    expect(isOver(throttle, START + 60_000)).toBe(true);
    expect(isOver(null, START + 60_000)).toBe(false);
  });
});
