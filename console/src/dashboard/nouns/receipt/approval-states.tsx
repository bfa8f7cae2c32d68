import { Badge, StatusTag, type Tone } from '../../../ui/layout/surface';
import { Countdown, useCountdown } from '../../../ui/lists/time';
import type { ListedApproval } from '../../operations/api';
import { remaining } from '../remaining';

export type State = ListedApproval['state'];
export type Decision = ListedApproval['decisions'][number];

const STATES: Readonly<Record<State, readonly [name: string, tone: Tone]>> = {
  pending: ['Waiting', 'plain'],
  approved: ['Approved', 'good'],
  declined: ['Declined', 'bad'],
  expired: ['Expired', 'warn'],
  cancelled: ['Cancelled', 'plain'],
  consumed: ['Used', 'good'],
};

export const STATE_NAMES = {
  pending: STATES.pending[0],
  approved: STATES.approved[0],
  declined: STATES.declined[0],
  expired: STATES.expired[0],
  cancelled: STATES.cancelled[0],
  consumed: STATES.consumed[0],
};

/** In a list, where only exceptions stand out. */
export const StateTag = ({ of }: { readonly of: State }) => (
  <StatusTag tone={STATES[of][1]}>{STATES[of][0]}</StatusTag>
);

export const StateBadge = ({ of }: { readonly of: State }) => (
  <Badge tone={STATES[of][1]}>{STATES[of][0]}</Badge>
);

/** Whether time ends it. */
export const isOpen = (state: State): boolean => state === 'pending' || state === 'approved';

export const countApproved = (decisions: readonly Decision[]): number =>
  decisions.filter(({ decision }) => decision === 'approve').length;

const HOUR_S = 3_600;

/** Minutes and seconds in the last hour, hours before that. The service decides when it has expired. */
export function TimeLeft({ until }: { readonly until: string }) {
  const seconds = useCountdown(until);
  return seconds < HOUR_S ? <Countdown until={until} /> : <span role="timer">{remaining(seconds)}</span>;
}
