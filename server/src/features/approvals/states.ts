/** `approved` and `pending` approvals expire with time alone. */
export const APPROVAL_STATES = [
  'pending',
  'approved',
  'declined',
  'expired',
  'cancelled',
  'consumed',
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Why somebody declined. */
export const REASONS = ['not_me', 'mistake', 'no'] as const;
export type Reason = (typeof REASONS)[number];

interface Timed {
  readonly state: ApprovalState;
  readonly expires_at: Date;
}

/** The state as it is now. A job records the end later. */
export const stateAt = ({ state, expires_at }: Timed, now: number): ApprovalState =>
  (state === 'pending' || state === 'approved') && expires_at.getTime() <= now ? 'expired' : state;

export interface Votes {
  readonly approved: number;
  readonly declined: number;
  readonly all: number;
}

export const withVote = (votes: Votes, decision: 'approve' | 'decline'): Votes =>
  decision === 'approve'
    ? { ...votes, approved: votes.approved + 1 }
    : { ...votes, declined: votes.declined + 1 };

/** What the decisions lead to: enough people approved, or too many declined. */
export function outcomeOf(
  { approved, declined, all }: Votes,
  required: number,
): 'approved' | 'declined' | undefined {
  if (approved >= required) return 'approved';
  return all - declined < required ? 'declined' : undefined;
}
