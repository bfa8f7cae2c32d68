import type { AttemptRow, WebhookRow } from '../webhooks.store.js';
import { nextAttemptAt, readRetryAfter } from './backoff.js';
import type { Progress, RetryRow, Round, ServedRow } from './deliveries.store.js';
import { attemptOf, type Outcome } from './message.js';
import type { Chunk, Delivery } from './plan.js';

const GONE = 410;
/** Responses by which a receiver says that it has too much to do. */
const OVERLOADED: ReadonlySet<number | null> = new Set([429, 502, 504]);

export const isGone = ({ httpStatus }: Outcome): boolean => httpStatus === GONE;
export const isOverloaded = ({ httpStatus }: Outcome): boolean => OVERLOADED.has(httpStatus);

/** A round without attempts. It records the progress and extends the lease. */
export const emptyRound = (row: ServedRow, progress: Progress): Round => ({
  progress,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  consecutiveFailures: row.consecutive_failures,
  attempts: [],
  retries: [],
  ended: [],
});

export interface Settled {
  readonly round: Round;
  /** What is still to be sent. */
  readonly rest: Chunk;
  readonly disable: Exclude<WebhookRow['disabled_reason'], null> | undefined;
}

interface Given {
  readonly now: number;
  readonly newId: () => string;
  /** From 0 to 1. */
  readonly jitter: () => number;
}

/** Decides what the outcomes of a chunk change. Deliveries without an outcome were not sent, and neither were those after the last one. */
export function settle(
  row: ServedRow,
  progress: Progress,
  chunk: Chunk,
  outcomes: readonly (Outcome | undefined)[],
  given: Given,
): Settled {
  const results = chunk.deliveries.map((delivery, index) => {
    const outcome = outcomes[index];
    return outcome && resultOf(row, delivery, outcome, given);
  });
  const made = results.filter((result) => result !== undefined);
  const failures = made.filter(({ retry }) => retry !== undefined);
  // An event of an ordered webhook that failed stays where it is.
  const isFinished = (result: Result | undefined) =>
    result !== undefined && (result.retry === undefined || !row.ordered);
  const finished = results.findIndex((result) => !isFinished(result));
  const rest = finished < 0 ? [] : chunk.deliveries.slice(finished);
  const blocked = results[finished]?.retry;
  const deliveries = rest.map((delivery, index) =>
    index === 0 && blocked ? { ...delivery, retry: blocked } : delivery,
  );
  const last = (found: readonly Result[]) => found.at(-1)?.attempt.at;
  const lastSuccess = made.findLastIndex(({ retry }) => retry === undefined);
  return {
    round: {
      progress: { ...progress, ...(rest[0]?.before ?? chunk.end) },
      lastSuccessAt: made[lastSuccess]?.attempt.at ?? row.last_success_at,
      lastFailureAt: last(failures) ?? row.last_failure_at,
      consecutiveFailures:
        lastSuccess < 0 ? row.consecutive_failures + made.length : made.length - 1 - lastSuccess,
      attempts: made.map(({ attempt }) => attempt),
      retries: failures.map(({ retry }) => retry as RetryRow),
      ended: made.flatMap(({ ended }) => ended),
    },
    rest: { deliveries, end: chunk.end },
    disable: disabledReason(made),
  };
}

/** `retry`: the attempt failed. */
interface Result {
  readonly attempt: AttemptRow;
  readonly retry: RetryRow | undefined;
  readonly ended: Round['ended'];
}

function resultOf(
  { ordered }: Pick<ServedRow, 'ordered'>,
  { message, previous, summary, isReplay, retry }: Delivery,
  outcome: Outcome,
  { now, newId, jitter }: Given,
): Result {
  const attempts = (retry?.attempts ?? 0) + 1;
  const firstAt = retry?.first_at.getTime() ?? outcome.at;
  const key = { event_id: message.eventId, is_replay: isReplay };
  if (outcome.errorCode === null) {
    const attempt = attemptOf(newId(), message, outcome, { attempt: attempts, isReplay });
    return { attempt, retry: undefined, ended: retry ? [key] : [] };
  }
  const retryAfterMs = readRetryAfter(outcome.retryAfter, now);
  const nextAt = nextAttemptAt({ attempts, firstAt, now, retryAfterMs, jitter: jitter(), ordered });
  return {
    attempt: attemptOf(newId(), message, outcome, { attempt: attempts, isReplay, nextAt }),
    retry: {
      ...key,
      seq: message.seq as number,
      previous_seq: previous?.seq ?? null,
      previous_hash: previous?.hash ?? null,
      summary,
      attempts,
      first_at: new Date(firstAt),
      // Without another attempt, the webhook is disabled. The event is sent again when it is turned on.
      next_at: new Date(nextAt ?? now),
    },
    ended: [],
  };
}

function disabledReason(results: readonly Result[]): Settled['disable'] {
  if (results.some(({ attempt }) => attempt.http_status === GONE)) return 'gone';
  return results.some(({ attempt }) => attempt.status === 'abandoned') ? 'failing' : undefined;
}
