import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Progress, recordRound, type ServedRow } from './deliveries.store.js';
import type { Outcome } from './message.js';
import type { Chunk, Delivery } from './plan.js';
import { settle } from './settle.js';

const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const row: ServedRow = {
  id: 'webhook',
  url: 'https://hooks.example.com/',
  description: null,
  events: ['*'],
  ordered: false,
  outcome: 'any',
  throttled: true,
  status: 'active',
  disabled_reason: null,
  secret: '',
  previous_secret: null,
  previous_secret_until: null,
  signing_key: '',
  public_key: '',
  cursor_seq: 0,
  cursor_hash: 'hash 0',
  filter_since: 0,
  last_success_at: null,
  last_failure_at: null,
  consecutive_failures: 3,
  key_id: null,
  created_at: new Date(NOW),
  previous_seq: null,
  previous_hash: null,
  throttle: null,
  replay_from: null,
  replay_to: null,
  version: 0,
  lease_until: new Date(NOW),
  waiting: 0,
  first_retry_at: null,
};
const at = (seq: number): Progress => ({
  cursor: { seq, hash: `hash ${seq}` },
  previous: seq === 0 ? null : { seq, hash: `hash ${seq}` },
  throttle: null,
  replay: null,
});
const delivery = (seq: number, retry: Delivery['retry'] = null): Delivery => ({
  message: { eventId: `event ${seq}`, seq, type: 'device.created', body: '' },
  previous: null,
  summary: null,
  isReplay: false,
  retry,
  before: at(seq - 1),
});
const chunkOf = (count: number): Chunk => ({
  deliveries: Array.from({ length: count }, (_, index) => delivery(index + 1)),
  end: at(count),
});
const answer = (httpStatus: number): Outcome => ({
  at: NOW - 100,
  durationMs: 100,
  httpStatus,
  errorCode: httpStatus === 204 ? null : 'status',
  retryAfter: undefined,
});
const OK = answer(204);
const given = { now: NOW, newId: () => 'attempt', jitter: () => 0.5 };
const settleAll = (chunk: Chunk, outcomes: readonly (Outcome | undefined)[], own: Partial<ServedRow> = {}) =>
  settle({ ...row, ...own }, at(0), chunk, outcomes, given);
const seqs = (deliveries: readonly Delivery[]) => deliveries.map(({ message }) => message.seq);

describe('a round', () => {
  it('moves the cursor to the end when everything was accepted', () => {
    const { round, rest } = settleAll(chunkOf(3), [OK, OK, OK]);
    expect(round).toMatchObject({
      progress: at(3),
      lastSuccessAt: new Date(OK.at),
      consecutiveFailures: 0,
      retries: [],
      ended: [],
    });
    expect([round.attempts.length, rest.deliveries]).toEqual([3, []]);
  });

  it('moves the cursor past an event that failed and stores when it is sent again', () => {
    const { round, disable } = settleAll(chunkOf(2), [answer(500), OK]);
    expect([round.progress, round.consecutiveFailures, disable]).toEqual([at(2), 0, undefined]);
    expect(round.retries).toEqual([
      expect.objectContaining({
        event_id: 'event 1',
        attempts: 1,
        first_at: new Date(OK.at),
        next_at: new Date(NOW + 5_000),
      }),
    ]);
    expect(round.attempts[0]).toMatchObject({ status: 'failed', next_attempt_at: new Date(NOW + 5_000) });
  });

  it('leaves the cursor of an ordered webhook before an event that failed', () => {
    const { round, rest } = settleAll(chunkOf(3), [answer(500)], { ordered: true });
    expect(round.progress).toEqual(at(0));
    expect(seqs(rest.deliveries)).toEqual([1, 2, 3]);
    expect(rest.deliveries[0]?.retry).toMatchObject({ attempts: 1, next_at: new Date(NOW + 5_000) });
  });

  it('leaves what was not sent for the next round', () => {
    const { round, rest } = settleAll(chunkOf(3), [OK]);
    expect([round.progress, seqs(rest.deliveries), rest.end]).toEqual([at(1), [2, 3], at(3)]);
    expect(settleAll(chunkOf(3), []).round).toMatchObject({
      progress: at(0),
      attempts: [],
      consecutiveFailures: 3,
    });
  });

  it('deletes the retry of an event that was accepted', () => {
    const retry = { attempts: 4, first_at: new Date(NOW - 9_000), next_at: new Date(NOW) };
    const { round } = settleAll({ deliveries: [delivery(7, retry)], end: {} }, [OK]);
    expect(round).toMatchObject({ progress: at(0), ended: [{ event_id: 'event 7', is_replay: false }] });
    expect(round.attempts[0]).toMatchObject({ attempt: 5, status: 'succeeded' });
  });

  it('disables the webhook after 410, and after the last attempt', () => {
    expect(settleAll(chunkOf(2), [answer(410), OK]).disable).toBe('gone');
    const retry = { attempts: 9, first_at: new Date(NOW - 9_000), next_at: new Date(NOW) };
    const last = settleAll({ deliveries: [delivery(7, retry)], end: {} }, [answer(500)]);
    expect(last.disable).toBe('failing');
    expect(last.round.attempts[0]).toMatchObject({ status: 'abandoned', next_attempt_at: null });
    expect(last.round.retries).toHaveLength(1);
  });

  it('counts the failures since the last success', () => {
    expect(settleAll(chunkOf(2), [answer(500), answer(500)]).round.consecutiveFailures).toBe(5);
    expect(settleAll(chunkOf(3), [answer(500), OK, answer(500)]).round.consecutiveFailures).toBe(1);
  });

  it('loses no event: each one is accepted, waits for a retry or is sent in the next round', () => {
    const outcome = fc.constantFrom(OK, answer(500), answer(429), undefined);
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 64 }), fc.boolean(), (outcomes, ordered) => {
        const sent = ordered ? outcomes.slice(0, 1) : outcomes;
        const chunk = chunkOf(outcomes.length);
        const { round, rest } = settleAll(chunk, sent, { ordered });
        const behind = round.progress.cursor.seq;
        const accepted = new Set(
          round.attempts.filter(({ status }) => status === 'succeeded').map(({ seq }) => seq),
        );
        const failed = new Set(round.retries.map(({ seq }) => seq));
        for (const seq of seqs(chunk.deliveries) as number[])
          expect(accepted.has(seq) || failed.has(seq) || seq > behind).toBe(true);
        expect(seqs(rest.deliveries)).toEqual(seqs(chunk.deliveries).slice(behind));
      }),
    );
  });

  it('is recorded by one statement, whose text is the same for every round', () => {
    const scope = { tenantId: 'tenant', environment: 'live' } as const;
    const served = { nodeId: 'node', until: new Date(NOW), row, stored: at(0).cursor, summaryAt: null };
    const texts = [[OK, OK], [answer(500)], [answer(410), OK], []].map(
      (outcomes) => recordRound(scope, served, settleAll(chunkOf(2), outcomes).round).text,
    );
    expect(new Set(texts).size).toBe(1);
  });
});
