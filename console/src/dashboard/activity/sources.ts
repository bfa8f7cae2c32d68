import { type Environment, svc } from '../api';
import { fromApproval, fromAttendance, fromPairing, fromVerification } from './happenings';
import type { Happening } from './item';
import type { Batch, Source } from './merge';

/** What all lists can be restricted to. */
export interface Wanted {
  readonly environment: Environment;
  readonly userId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly outcome?: Outcome;
}
export type Outcome = 'good' | 'failed' | 'waiting';

export const PAGE_SIZE = 30;

const batchOf = <R>(
  records: readonly R[],
  nextCursor: string | null,
  show: (record: R) => Happening,
  isWanted: (record: R) => boolean = () => true,
): Batch<Happening> => {
  const last = records.at(-1);
  return {
    items: records.filter(isWanted).map(show),
    nextCursor,
    through: last === undefined ? null : show(last).at,
  };
};

const queryOf = ({ outcome: _, ...wanted }: Wanted, cursor: string | undefined) => ({
  ...wanted,
  limit: PAGE_SIZE,
  include: 'names',
  ...(cursor !== undefined && { cursor }),
});

export const verifications =
  (wanted: Wanted): Source<Happening> =>
  async (cursor, signal) => {
    const result = wanted.outcome === undefined ? {} : { result: RESULTS[wanted.outcome] };
    const query = { ...queryOf(wanted, cursor), ...result };
    const page = await svc.request('listVerifications', { query }, { signal });
    return batchOf(page.verifications, page.nextCursor, fromVerification);
  };
const RESULTS = { good: 'pass', failed: 'fail', waiting: 'challenge' } as const;

export const attendance =
  (wanted: Wanted): Source<Happening> =>
  async (cursor, signal) => {
    if (wanted.outcome === 'waiting') return { items: [], nextCursor: null, through: null };
    const result = wanted.outcome && {
      result: wanted.outcome === 'good' ? ('accepted' as const) : ('rejected' as const),
    };
    const query = { ...queryOf(wanted, cursor), ...result };
    const page = await svc.request('listAttendance', { query }, { signal });
    return batchOf(page.attendance, page.nextCursor, fromAttendance);
  };

const APPROVAL_STATES: Readonly<Record<Outcome, readonly string[]>> = {
  good: ['approved', 'consumed'],
  failed: ['declined', 'expired', 'cancelled'],
  waiting: ['pending'],
};

export const approvals =
  (wanted: Wanted): Source<Happening> =>
  async (cursor, signal) => {
    const page = await svc.request('listApprovals', { query: queryOf(wanted, cursor) }, { signal });
    return batchOf(
      page.approvals,
      page.nextCursor,
      fromApproval,
      ({ state }) => wanted.outcome === undefined || APPROVAL_STATES[wanted.outcome].includes(state),
    );
  };

const PAIRING_STATES: Readonly<Record<Outcome, readonly string[]>> = {
  good: ['bound'],
  failed: ['declined', 'rejected', 'expired'],
  waiting: ['issued', 'proved'],
};

/**
 * The list of pairings knows no range and no person. A completed one is left out where its verification is listed too, because both
 * are the same sign-in.
 */
export const pairings =
  (wanted: Wanted, withCompleted: boolean): Source<Happening> =>
  async (cursor, signal) => {
    const query = {
      environment: wanted.environment,
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    };
    const page = await svc.request('listPairingSessions', { query }, { signal });
    const { outcome, userId, from = '', to = '~' } = wanted;
    const isOver = (page.sessions.at(-1)?.createdAt ?? '') < from;
    return batchOf(
      page.sessions,
      isOver ? null : page.nextCursor,
      fromPairing,
      ({ state, userId: of, createdAt }) =>
        (withCompleted || state !== 'bound') &&
        (outcome === undefined || PAIRING_STATES[outcome].includes(state)) &&
        (userId === undefined || of === userId) &&
        createdAt >= from &&
        createdAt < to,
    );
  };
