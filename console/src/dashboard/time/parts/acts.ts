import type { CorrectedTime } from '@svc/sdk';

/** What an event of attendance does, as people say it. */
export type Act = 'come' | 'go' | 'beginBreak' | 'endBreak';

type Kind = Pick<CorrectedTime, 'type' | 'reason'>;

const KINDS: Readonly<Record<Act, Kind>> = {
  come: { type: 'check_in', reason: 'work' },
  go: { type: 'check_out', reason: 'work' },
  beginBreak: { type: 'check_out', reason: 'break' },
  endBreak: { type: 'check_in', reason: 'break' },
};

export const kindOf = (act: Act): Kind => KINDS[act];

/** Events from before there were reasons are work. */
export function actOf({
  type,
  reason,
}: {
  readonly type: Kind['type'];
  readonly reason: Kind['reason'] | null;
}): Act {
  if (reason === 'break') return type === 'check_out' ? 'beginBreak' : 'endBreak';
  return type === 'check_in' ? 'come' : 'go';
}
