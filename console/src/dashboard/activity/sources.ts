import { type Environment, svc } from '../api';
import { fromApproval, fromAttendance, fromPairing, fromVerification } from './happenings';
import type { Happening } from './item';
import type { Batch, Source } from './merge';

/** What all lists can be restricted to. */
export interface Wanted {
  readonly environment: Environment;
  readonly userId?: string;
  readonly deviceId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly outcome?: Outcome;
  /** How many records a request reads. Default: 30. */
  readonly limit?: number;
}
export type Outcome = 'good' | 'failed' | 'waiting';

const NOTHING: Batch<never> = { items: [], nextCursor: null, through: null };
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
  limit: PAGE_SIZE,
  ...wanted,
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
    if (wanted.outcome === 'waiting') return NOTHING;
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

/** Nobody approves at a device, so an activity of one device has no approvals. */
export const approvals =
  ({ deviceId, ...wanted }: Wanted): Source<Happening> =>
  async (cursor, signal) => {
    if (deviceId !== undefined) return NOTHING;
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

/** A completed pairing is left out where its verification is listed too, because both are the same sign-in. */
const pairings =
  (wanted: Wanted, withCompleted: boolean): Source<Happening> =>
  async (cursor, signal) => {
    const page = await svc.request('listPairingSessions', { query: queryOf(wanted, cursor) }, { signal });
    return batchOf(
      page.sessions,
      page.nextCursor,
      fromPairing,
      ({ state }) =>
        (withCompleted || state !== 'bound') &&
        (wanted.outcome === undefined || PAIRING_STATES[wanted.outcome].includes(state)),
    );
  };

export type Kind = 'verifications' | 'pairings' | 'attendance' | 'approvals';

/** The lists of a kind, or all of them. */
export function sourcesOf(kind: Kind | undefined, wanted: Wanted): readonly Source<Happening>[] {
  const all: Readonly<Record<Kind, Source<Happening>>> = {
    verifications: verifications(wanted),
    pairings: pairings(wanted, kind === 'pairings'),
    attendance: attendance(wanted),
    approvals: approvals(wanted),
  };
  return kind === undefined ? Object.values(all) : [all[kind]];
}
